import type { TestDatabase } from '../support/database.ts';
import { createSender, type Sender } from '../support/logins.ts';
import * as commands from '../../src/db/commands.ts';
import { Stage, type Stated } from './stage.ts';

/** A stage with two further sources, and what brings them to see documents of the first. */
export class FurtherStage {
  readonly stage: Stage;
  readonly other: Sender;
  readonly third: Sender;

  private constructor(stage: Stage, other: Sender, third: Sender) {
    this.stage = stage;
    this.other = other;
    this.third = third;
  }

  static async open(database: TestDatabase): Promise<FurtherStage> {
    const stage = await Stage.open(database);
    return new FurtherStage(
      stage,
      await createSender(database, 'carrier-b'),
      await createSender(database, 'carrier-c'),
    );
  }

  /** Delivers, and returns the number of the delivery. */
  async deliver(stated: Stated, sender: Sender): Promise<string> {
    await this.stage.deliver(stated, sender);
    const { rows } = await sender.pool.query<{ delivery_id: string }>(
      'select max(delivery_id) as delivery_id from docket.submissions',
    );
    return rows[0]!.delivery_id;
  }

  claim(limit = 100): Promise<commands.ClaimDeliveryChecksRow[]> {
    return commands.claimDeliveryChecks(this.stage.worker, { limit });
  }

  /** Records how checks ended, by delivery; returns the outcomes. */
  async record(ends: Record<string, string | null>): Promise<Record<string, string>> {
    const rows = await commands.recordDeliveryChecks(this.stage.worker, {
      deliveries: Object.keys(ends),
      codes: Object.values(ends),
    });
    return Object.fromEntries(rows.map((row) => [row.delivery_id, row.outcome]));
  }

  /** The sources that see a document, in order. */
  async seenBy(job: string): Promise<string[]> {
    const { rows } = await this.stage.db.query<{ source_id: string }>(
      'select source_id from docket.document_sources where job_id = $1 order by ordinal',
      [job],
    );
    return rows.map((row) => row.source_id);
  }

  /** The deliveries of a job that are or will be due to be checked. */
  async checksOf(job: string): Promise<string[]> {
    const { rows } = await this.stage.db.query<{ delivery_id: string }>(
      'select delivery_id from docket.delivery_checks where job_id = $1 order by delivery_id',
      [job],
    );
    return rows.map((row) => row.delivery_id);
  }

  /** Lets what is put off be due now. */
  async hasten(): Promise<void> {
    await this.stage.db.query(`update docket.delivery_checks set due_at = '2026-01-01'`);
  }
}
