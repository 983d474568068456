import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createSender, type Sender } from '../support/logins.ts';
import { type Open, Stage } from './stage.ts';

/** Senders with documents that wait, and admission, which a test lets go round by round. */
export class AdmissionStage {
  readonly stage: Stage;
  private readonly senders = new Map<string, Sender>();

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  static async open(database: TestDatabase): Promise<AdmissionStage> {
    return new AdmissionStage(await Stage.open(database));
  }

  /** The login of a source, made when it is first needed. */
  async sender(sourceId: string): Promise<Sender> {
    const sender = this.senders.get(sourceId) ?? (await createSender(this.stage.database, sourceId));
    this.senders.set(sourceId, sender);
    return sender;
  }

  /** Delivers so many scans in one statement. */
  async deliver(
    sourceId: string,
    count: number,
    { kind = 'unknown', sizeBytes = 1000, mediaType = 'image/png' } = {},
  ): Promise<void> {
    const { pool } = await this.sender(sourceId);
    await pool.query(
      `insert into docket.submissions
         (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind, encryption)
       select $1, sha256(uuid_send(gen_random_uuid())), 'memory:scan', $3, $4, '2026-01-02 03:04:05+00', $5, 'none'
       from generate_series(1, $2::integer)`,
      [sourceId, count, sizeBytes, mediaType, kind],
    );
  }

  /** Sets a limit; what is left out is not limited. */
  async limit(target: string, limit: Record<string, unknown>): Promise<void> {
    const sourceId = target.split(':')[1] ?? null;
    if (sourceId && sourceId !== this.stage.sender.sourceId) await this.sender(sourceId);
    await this.run(
      `insert into docket.flow_limits
       select * from json_populate_record(null::docket.flow_limits, $1)`,
      [JSON.stringify({ target, source_id: sourceId, on_excess: 'defer', ...limit })],
    );
  }

  async close(target: string): Promise<void> {
    const [scope, name] = target.split(':');
    await this.run(
      `insert into docket.admission_gates (target, source_id, document_kind, closed_by, reason) values ($1, $2, $3, 'test', 'A test.')`,
      [target, scope === 'source' ? name : null, scope === 'kind' ? name : null],
    );
  }

  /** As if so many seconds had passed since buckets were last drawn from. */
  async pass(seconds: number): Promise<void> {
    await this.run(
      `update docket.flow_states set documents_tat = documents_tat - make_interval(secs => $1), pages_tat = pages_tat - make_interval(secs => $1)`,
      [seconds],
    );
  }

  /** One round of admission. */
  async admit(window = 100_000): Promise<number> {
    return (await commands.admit(this.stage.worker, { window }))[0]!.admitted;
  }

  /** How many documents of each source are under way, in the standard lane or in all. */
  async underWay({ lane }: { lane?: string } = {}): Promise<Record<string, number>> {
    const { rows } = await this.stage.db.query<{ source_id: string; jobs: number }>(
      `select source_id, count(*)::integer as jobs from docket.jobs
       where next_task is not null and ($1::text is null or coalesce(lane, 'standard') = $1)
       group by source_id order by source_id`,
      [lane ?? null],
    );
    return Object.fromEntries(rows.map((row) => [row.source_id, row.jobs]));
  }

  /** Takes documents of a source that nobody has begun out of the way, the oldest first, as if they had been refused. */
  async finish(sourceId: string, count: number): Promise<void> {
    const { rows } = await this.stage.db.query<{ job: string; task: string }>(
      `select job_id as job, next_task as task from docket.jobs
       where source_id = $1 and next_task is not null and token is null order by accepted_at, job_id limit $2`,
      [sourceId, count],
    );
    for (const { job, task } of rows) await this.refuse(await this.stage.begin(job, task));
  }

  /** Fails an attempt for good, which ends its document. */
  async refuse(open: Open): Promise<void> {
    await commands.failAttempts(this.stage.worker, {
      jobs: [open.job_id],
      attempts: [open.attempt],
      tokens: [open.token],
      codes: ['LOCATOR_INVALID'],
      messages: ['A test.'],
    });
  }

  /** Puts limits, gates, and what waits out of the way, so that a test starts afresh. */
  async clear(): Promise<void> {
    await this.run(`delete from docket.flow_limits`);
    await this.run(`delete from docket.flow_states`);
    await this.run(`delete from docket.admission_gates`);
    await this.run(`delete from docket.lane_rules`);
    await this.run(`update docket.lanes set window_size = null`);
    await this.admit();
    for (const [source, jobs] of Object.entries(await this.underWay())) await this.finish(source, jobs);
  }

  private async run(text: string, values?: unknown[]): Promise<void> {
    await this.stage.db.query(text, values);
  }
}
