import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createSender, type Sender } from '../support/logins.ts';

/** What a sender states of one scan; what is left out is made up. */
export interface Stated {
  sha256?: Buffer;
  locator?: string;
  sizeBytes?: number;
  documentKind?: string;
  capturedAt?: string;
  /** In the clear unless stated. */
  encryption?: 'docket' | 'external' | 'none';
  envelope?: Buffer;
}

/** An attempt under way, as its worker knows it. */
export type Open = commands.BeginAttemptsRow;

export interface Candidate {
  delivery_id: number;
  locator: string;
}

type State = 'accepted' | 'running' | 'validated' | 'published' | 'quarantined';

/** A page as the engine brings it. */
export function page(text: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    page_no: 1,
    width: 1000,
    height: 2000,
    dpi: 200,
    rotation: 0,
    angle: 0.5,
    verdict: 'text',
    confidence: 90,
    text,
    words: [[text, 90, 1, 2, 30, 40]],
    ...changes,
  };
}

/** A result as the engine brings it: one page that passes the gates of the kind `unknown`, unless changed. */
export function result(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    pages_declared: 1,
    pages_decoded: 1,
    warnings: [],
    pages: [page('Received in good order')],
    ...changes,
  });
}

export function randomHash(): Buffer {
  return createHash('sha256').update(randomBytes(16)).digest();
}

/** A sender, a worker with a lease, and the commands that bring a document from one state to the next. */
export class Stage {
  readonly database: TestDatabase;
  /** The superuser, to look at anything. */
  readonly db: pg.Pool;
  readonly worker: pg.Pool;
  readonly sender: Sender;
  readonly config: Buffer;
  lease: string;

  private constructor(database: TestDatabase, sender: Sender, config: Buffer, lease: string) {
    this.database = database;
    this.db = database.pool();
    this.worker = database.pool('docket_worker');
    this.sender = sender;
    this.config = config;
    this.lease = lease;
  }

  static async open(database: TestDatabase): Promise<Stage> {
    const worker = database.pool('docket_worker');
    const sender = await createSender(database, 'carrier-a');
    const [config] = await commands.registerOcrConfig(worker, { engine: 'none', config: '{"psm": 3}' });
    const { lease } = await openLease(database);
    return new Stage(database, sender, config!.config_sha256, lease);
  }

  /** Delivers one scan and returns the id of its job. */
  async deliver(stated: Stated = {}, sender = this.sender): Promise<string> {
    const { rows } = await sender.pool.query<{ job_id: string }>(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind, encryption, envelope)
       values ($1, $2, $3, $4, 'image/png', $5, $6, $7, $8) returning job_id`,
      [
        sender.sourceId,
        stated.sha256 ?? randomHash(),
        stated.locator ?? 'memory:scan',
        stated.sizeBytes ?? 1000,
        stated.capturedAt ?? '2026-01-02 03:04:05+00',
        stated.documentKind ?? 'unknown',
        stated.encryption ?? 'none',
        stated.envelope ?? null,
      ],
    );
    return rows[0]!.job_id;
  }

  async admit(): Promise<number> {
    return (await commands.admit(this.worker, { window: 100_000 }))[0]!.admitted;
  }

  /** Begins the task for one job; fails when the job is not due for it, or its message was used before. */
  async begin(job: string, task: string): Promise<Open> {
    const [open] = await this.tryToBegin(job, task);
    if (open?.code !== null) throw new Error(`job ${job} is not due for ${task}`);
    return open;
  }

  /** What the worker is answered when it comes with the newest message for the job and the task. */
  async tryToBegin(job: string, task: string, lease = this.lease): Promise<Open[]> {
    const refs = [await this.ref(job, task)];
    return commands.beginAttempts(this.worker, { jobs: [job], refs, task, lease });
  }

  /** The reference in the newest message for a job and a task; empty if there is none. */
  async ref(job: string, task: string): Promise<string> {
    const { rows } = await this.db.query<{ ref: string }>(
      `select q.payload ->> 'ref' as ref
       from graphile_worker._private_jobs q join graphile_worker._private_tasks t on t.id = q.task_id
       where q.payload ->> 'job_id' = $1 and t.identifier in ($2, $2 || '_reserved')
       order by q.id desc limit 1`,
      [job, task],
    );
    return rows[0]?.ref ?? '';
  }

  async verify(open: Open, delivery = (open.candidates as Candidate[])[0]!.delivery_id): Promise<string> {
    const rows = await commands.recordVerified(this.worker, {
      ...named(open),
      deliveries: [String(delivery)],
      mediaTypes: ['image/png'],
      signatures: [null],
    });
    return rows[0]!.outcome;
  }

  async record(open: Open, text = result()): Promise<commands.RecordResultsRow> {
    const rows = await commands.recordResults(this.worker, {
      ...named(open),
      configs: [this.config],
      results: [text],
    });
    return rows[0]!;
  }

  async publish(open: Open): Promise<string> {
    return (await commands.publishResults(this.worker, named(open)))[0]!.outcome;
  }

  async fail(open: Open, code: string): Promise<commands.FailAttemptsRow> {
    const rows = await commands.failAttempts(this.worker, {
      ...named(open),
      codes: [code],
      messages: [`seen: ${code}`],
    });
    return rows[0]!;
  }

  /** Brings a freshly delivered, waiting job to a point: the attempt returned is open where the state says so. */
  async verified(stated: Stated = {}): Promise<string> {
    const job = await this.deliver(stated);
    await this.admit();
    await this.verify(await this.begin(job, 'hash'));
    return job;
  }

  async running(stated: Stated = {}): Promise<Open> {
    return this.begin(await this.verified(stated), 'ocr');
  }

  async validated(stated: Stated = {}): Promise<string> {
    const open = await this.running(stated);
    await this.record(open);
    return open.job_id;
  }

  async published(stated: Stated = {}): Promise<string> {
    const job = await this.validated(stated);
    await this.publish(await this.begin(job, 'publish'));
    return job;
  }

  async quarantined(stated: Stated = {}): Promise<string> {
    const open = await this.running(stated);
    await this.fail(open, 'CORRUPT');
    return open.job_id;
  }

  async inState(state: State): Promise<string> {
    if (state === 'accepted') return this.deliver();
    if (state === 'running') return (await this.running()).job_id;
    return this[state]();
  }

  /** A row of docket.jobs. */
  async job(job: string): Promise<Record<string, unknown>> {
    const { rows } = await this.db.query<Record<string, unknown>>(
      'select * from docket.jobs where job_id = $1',
      [job],
    );
    return rows[0]!;
  }

  /** The names of a job's events, in order. */
  async events(job: string): Promise<string[]> {
    const { rows } = await this.db.query<{ event: string }>(
      'select event from docket_audit.events where job_id = $1 order by seq',
      [job],
    );
    return rows.map((row) => row.event);
  }

  /** The newest event of a job. */
  async lastEvent(job: string): Promise<Record<string, unknown> & { detail: Record<string, unknown> }> {
    const { rows } = await this.db.query<Record<string, unknown> & { detail: Record<string, unknown> }>(
      'select * from docket.job_timeline where job_id = $1 order by seq desc limit 1',
      [job],
    );
    return rows[0]!;
  }

  /** Lets a retry be due now instead of after its delay. */
  async hasten(job: string): Promise<void> {
    await this.db.query('update docket.jobs set due_at = null where job_id = $1', [job]);
  }
}

/** The arguments by which a command names one attempt. */
export function named(open: Open): { jobs: string[]; attempts: number[]; tokens: string[] } {
  return { jobs: [open.job_id], attempts: [open.attempt], tokens: [open.token] };
}

/** Opens a lease on a connection of its own, which stays open until the database is dropped or `end` is called. */
export async function openLease(
  database: TestDatabase,
): Promise<{ lease: string; lockKey: number; client: pg.Client; end(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: database.url('docket_worker'),
    application_name: 'lease',
  });
  client.on('error', () => undefined);
  await client.connect();
  const [row] = await commands.openLease(client, { host: 'test', pid: process.pid, pools: ['io', 'ocr'] });
  // A lease ends after ten seconds without renewal, which no test is about unless it says so.
  await database
    .pool()
    .query(`update docket.leases set deadline = now() + interval '1 hour' where lease_id = $1`, [
      row!.lease_id,
    ]);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= client.end());
  database.beforeDrop(end);
  return { lease: row!.lease_id, lockKey: row!.lock_key, client, end };
}
