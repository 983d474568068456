import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { disarm, rearm, tamper } from './log-forger.ts';
import { recordEvents, sealAll } from './log-stage.ts';
import { NoteKey } from './note-key.ts';
import { Stage } from './stage.ts';

/** An event of the log, as an attacker picks it. */
export interface Target {
  job_id: string;
  seq: number;
  event_id: string;
  xid: string;
  hash: Buffer;
}

/** A checkpoint as somebody outside keeps it. */
export interface Kept {
  size: string;
  note: string;
}

/** Documents, and a log of some hundred events around them, sealed a few times, with two checkpoints. */
export class SealedStage {
  readonly stage: Stage;
  readonly db: pg.Pool;
  readonly key: NoteKey;
  /** Documents that were published. */
  readonly jobs: string[];
  readonly older: Kept;
  readonly newest: Kept;
  readonly seed = process.env['TEST_SEED'] ?? randomBytes(4).toString('hex');

  private constructor(stage: Stage, key: NoteKey, jobs: string[], older: Kept, newest: Kept) {
    this.stage = stage;
    this.db = stage.db;
    this.key = key;
    this.jobs = jobs;
    this.older = older;
    this.newest = newest;
  }

  static async open(database: TestDatabase): Promise<SealedStage> {
    const stage = await Stage.open(database);
    const { rows } = await stage.db.query<{ origin: string }>('select origin from docket_audit.epochs');
    const key = new NoteKey(rows[0]!.origin);
    await commands.addCheckpointKey(stage.worker, { name: key.origin, publicKey: key.publicKey });
    const jobs: string[] = [];
    const kept: Kept[] = [];
    for (const count of [200, 150]) {
      for (let n = 0; n < 4; n += 1) jobs.push(await stage.published());
      await stage.quarantined();
      await addDocuments(stage.db, count);
      await sealAll(stage.worker, 100);
      const { rows: seals } = await stage.db.query<{ size: string; root: Buffer }>(
        'select size, root from docket_audit.seals order by seal_no desc limit 1',
      );
      const { size, root } = seals[0]!;
      kept.push({ size, note: key.note(size, root) });
      await commands.recordCheckpoint(stage.worker, { note: kept.at(-1)!.note });
    }
    return new SealedStage(stage, key, jobs, kept[0]!, kept[1]!);
  }

  /** An event at random; the same one for the same seed over the same log. */
  async pick(what: string, where: string, values: unknown[] = []): Promise<Target> {
    const { rows } = await this.db.query<Target>(
      `select e.job_id, e.seq, e.event_id, e.xid, e.hash from docket_audit.events e where ${where}
       order by sha256(convert_to('${this.seed}${what}' || e.event_id, 'UTF8')) limit 1`,
      values,
    );
    return rows[0]!;
  }

  pickJob(what: string): string {
    const digest = createHash('sha256')
      .update(this.seed + what)
      .digest();
    return this.jobs[digest.readUInt32BE() % this.jobs.length]!;
  }

  /** How a finding names the seal of an event. */
  async sealOf({ xid }: Target): Promise<string> {
    const { rows } = await this.db.query<{ seal_no: string }>(
      'select seal_no from docket_audit.seals where xid_to > $1::text::xid8 order by seal_no limit 1',
      [xid],
    );
    return `seal ${rows[0]!.seal_no}`;
  }

  /** The size of the first checkpoint that counts an event. */
  async checkpointAfter({ job_id, seq }: Target): Promise<string> {
    const { rows } = await this.db.query<{ size: string }>(
      'select min(size) as size from docket_audit.checkpoints where size > docket.leaf_index($1, $2)',
      [job_id, seq],
    );
    return rows[0]!.size;
  }

  async verify(client: commands.Queryable = this.db): Promise<commands.VerifyAllRow[]> {
    return commands.verifyAll(client);
  }

  /** What the checks in the database find, as "check: first offender". */
  async findings(client: commands.Queryable): Promise<string[]> {
    return failures(await this.verify(client));
  }

  /** Looks at the database after an attack by a superuser who covers his tracks; the attack is undone. */
  async afterAttack<T>(
    attack: (client: pg.PoolClient) => Promise<unknown>,
    look: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await this.db.connect();
    try {
      await client.query('begin');
      await disarm(client);
      await attack(client);
      await rearm(client);
      return await look(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
}

/** What of these rows failed, as "check: first offender". */
export function failures(
  rows: { checked: string; failed_count: string; first_offender: string | null }[],
): string[] {
  return rows
    .filter((row) => row.failed_count !== '0')
    .map((row) => `${row.checked}: ${String(row.first_offender)}`);
}

/** Jobs that were accepted and no more, for the others to stand among. */
async function addDocuments(db: pg.Pool, count: number): Promise<void> {
  await recordEvents(db, count);
  await tamper(db, (client) =>
    client.query(
      `insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
       select e.job_id, sha256('x'), 1, 'carrier-a', 'unknown', e.to_state, e.seq, e.hash, e.at, e.at
       from docket_audit.events e
       where not exists (select from docket.jobs j where j.job_id = e.job_id)`,
    ),
  );
}
