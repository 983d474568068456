import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Stage } from './stage.ts';

/** What the log itself says of something that happened. */
export interface LogEvent {
  event: string;
  actor: string;
  reason: string;
  detail: Record<string, unknown>;
}

/** OCR configurations and rollbacks of them, on the stage of a test. What operators activate is set by the owner here. */
export class RollbackStage {
  readonly #stage: Stage;
  readonly #owner: pg.Pool;

  constructor(database: TestDatabase, stage: Stage) {
    this.#stage = stage;
    this.#owner = database.pool();
  }

  /** Adds an OCR configuration. */
  async addVersion(): Promise<number> {
    const { rows } = await this.#owner.query<{ ocr_version: number }>(
      `insert into docket.ocr_versions (parameters, reason, added_by)
       values ('{"preparation": {"targetDpi": 20}}', 'bad', 'test') returning ocr_version`,
    );
    return rows[0]!.ocr_version;
  }

  /** Has all documents read by a new OCR configuration; the one before is the last known good one. */
  async activate(): Promise<{ bad: number; good: number }> {
    const bad = await this.addVersion();
    const { rows } = await this.#owner.query<{ good: number }>(
      `update docket.ocr_choice
       set known_good_version = active_version, active_version = $1, activated_at = clock_timestamp()
       returning known_good_version as good`,
      [bad],
    );
    return { bad, good: rows[0]!.good };
  }

  /** Has documents read by a new OCR configuration beside the active one: nearly all of them. */
  async activateCanary(): Promise<{ canary: number; active: number }> {
    const canary = await this.addVersion();
    const { rows } = await this.#owner.query<{ active: number }>(
      `update docket.ocr_choice set canary_version = $1, canary_share = 0.9999999, activated_at = clock_timestamp()
       returning active_version as active`,
      [canary],
    );
    return { canary, active: rows[0]!.active };
  }

  /** What is chosen: active, last known good, canary, and what a rollback under way reads by. */
  async choice(): Promise<(number | null)[]> {
    const { rows } = await this.#owner.query<Record<string, number | null>>(
      'select active_version, known_good_version, canary_version, rollback_to from docket.ocr_choice',
    );
    return Object.values(rows[0]!);
  }

  /** One round of a worker, or of somebody else: the step that is next, with what it waits for. */
  async advance(
    pool: pg.Pool | pg.PoolClient = this.#stage.worker,
  ): Promise<commands.AdvanceRollbackRow | undefined> {
    return (await commands.advanceRollback(pool))[0];
  }

  /** Rounds until the step is next. Fails where it waits for something else than what began before. */
  async advanceTo(step: string, pool?: pg.Pool): Promise<void> {
    await eventually(`the step ${step} is next`, async () => {
      // Nothing is answered while somebody who was refused still lets go of the duty.
      const row = await this.advance(pool);
      const waits = row?.waits_for ?? '';
      if (waits !== '' && !waits.startsWith('transactions'))
        throw new Error(`it waits at ${row!.step} for ${waits}`);
      return row?.step === step;
    });
  }

  /** A row of docket.rollbacks: the newest. */
  async newest(): Promise<Record<string, unknown>> {
    const { rows } = await this.#owner.query<Record<string, unknown>>(
      'select * from docket.rollbacks order by rollback_id desc limit 1',
    );
    return rows[0]!;
  }

  /** The events of the log itself about the newest rollback, and about admission, since it began. */
  async story(): Promise<LogEvent[]> {
    const { rows } = await this.#owner.query<LogEvent>(
      `select event, actor, reason, detail::json as detail from docket_audit.events
       where job_id = '00000000-0000-0000-0000-000000000000'
         and seq >= (select max(seq) from docket_audit.events
           where job_id = '00000000-0000-0000-0000-000000000000' and event in ('rollback_ordered', 'rollback_triggered'))
       order by seq`,
    );
    return rows;
  }

  /** Lets the time to drain be over. */
  async endDraining(): Promise<void> {
    await this.#owner.query(
      `update docket.rollbacks set drain_until = clock_timestamp() where ended_at is null`,
    );
  }

  /** Lets the next try of a failed step be due. */
  async hasten(): Promise<void> {
    await this.#owner.query(
      `update docket.rollbacks set failed_at = failed_at - interval '1 hour', stepped_at = stepped_at - interval '1 hour'
       where ended_at is null`,
    );
  }

  /** Whether admission is closed to all. */
  async isClosed(): Promise<boolean> {
    const { rowCount } = await this.#owner.query(`select from docket.admission_gates where target = 'all'`);
    return rowCount === 1;
  }
}
