import * as commands from '../../src/db/commands.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { TestDatabase } from '../support/database.ts';
import { FurtherStage } from './further-stage.ts';
import { randomHash, type Stage } from './stage.ts';
import { JUDGED_AT } from './verify-signed.ts';

export const ENVELOPE = Buffer.from('an envelope');

/** What a worker brings that looked at one envelope. */
export function found(delivery: string, judgedAt = JUDGED_AT, ...reports: SignatureReport[]): string {
  return JSON.stringify([{ delivery, place: 'envelope', judgedAt, reports }]);
}

/** An event about signatures. */
export interface CheckEvent {
  seq: number;
  code: string | null;
  detail: Record<string, unknown>;
}

/** A stage with later envelopes, and a worker that looks at them. */
export class EnvelopesStage {
  readonly further: FurtherStage;

  private constructor(further: FurtherStage) {
    this.further = further;
  }

  static async open(database: TestDatabase): Promise<EnvelopesStage> {
    return new EnvelopesStage(await FurtherStage.open(database));
  }

  get stage(): Stage {
    return this.further.stage;
  }

  /** The deliveries of a job whose checks are due or under way. */
  async due(job: string): Promise<string[]> {
    const { rows } = await this.stage.db.query<{ delivery_id: string }>(
      'select delivery_id from docket.envelope_checks where job_id = $1 order by 1',
      [job],
    );
    return rows.map((row) => row.delivery_id);
  }

  async checks(job: string): Promise<CheckEvent[]> {
    const { rows } = await this.stage.db.query<CheckEvent>(
      `select seq, code, detail::json as detail from docket_audit.events
       where job_id = $1 and event = 'envelope_checked' order by seq`,
      [job],
    );
    return rows;
  }

  /** Everything that waits, as if it were due at once. */
  async claim(): Promise<commands.ClaimEnvelopeChecksRow[]> {
    await this.stage.db.query(`update docket.envelope_checks set due_at = '2026-01-01'`);
    return commands.claimEnvelopeChecks(this.stage.worker, { limit: 100 });
  }

  async record(delivery: string, code: string | null, signatures: string | null): Promise<string> {
    const rows = await commands.recordEnvelopeChecks(this.stage.worker, {
      deliveries: [delivery],
      codes: [code],
      signatures: [signatures],
    });
    return rows[0]!.outcome;
  }

  /** A published document with one later envelope, whose check is under way. */
  async underWay(): Promise<{ job: string; delivery: string; row: commands.ClaimEnvelopeChecksRow }> {
    const sha256 = randomHash();
    const job = await this.stage.published({ sha256 });
    const delivery = await this.further.deliver({ sha256, envelope: ENVELOPE }, this.stage.sender);
    await this.stage.admit();
    const row = (await this.claim()).find((one) => one.delivery_id === delivery);
    return { job, delivery, row: row! };
  }

  /** The oldest delivery of a job. */
  async firstOf(job: string): Promise<string> {
    const { rows } = await this.stage.db.query<{ delivery_id: string }>(
      'select min(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
      [job],
    );
    return rows[0]!.delivery_id;
  }
}
