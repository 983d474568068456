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

/** OCR configurations and rollbacks of them, on the stage of a test. */
export class RollbackStage {
  readonly #stage: Stage;
  readonly #owner: pg.Pool;
  readonly #operator: pg.Pool;

  constructor(database: TestDatabase, stage: Stage, operator: pg.Pool) {
    this.#stage = stage;
    this.#owner = database.pool();
    this.#operator = operator;
  }

  /** Adds an OCR configuration, of which a trial has ended. */
  async addVersion(): Promise<number> {
    const [added] = await commands.addOcrVersion(this.#operator, {
      engine: null,
      parameters: '{"preparation": {"targetDpi": 100}}',
      pins: '{}',
      gates: '{}',
      reason: 'it is quicker',
    });
    await endTrial(this.#owner, added!.ocr_version, this.#stage.config);
    return added!.ocr_version;
  }

  /** Has all documents read by a new OCR configuration; the one before is the last known good one. */
  async activate(): Promise<{ bad: number; good: number }> {
    const [good] = await this.choice();
    const bad = await this.addVersion();
    await commands.activateOcrVersion(this.#operator, { version: bad, reason: 'it is quicker' });
    return { bad, good: good! };
  }

  /** Has documents read by a new OCR configuration beside the active one: nearly all of them. */
  async activateCanary(): Promise<{ canary: number; active: number }> {
    const [active] = await this.choice();
    const canary = await this.addVersion();
    await commands.activateOcrVersion(this.#operator, {
      ...{ version: canary, reason: 'it is quicker', share: 0.999999 },
    });
    return { canary, active: active! };
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

/** Ends a trial of an OCR configuration, in which one document was compared, as far as an activation asks for it. */
export async function endTrial(owner: pg.Pool, version: number, config: Buffer): Promise<void> {
  await owner.query(
    `with trial as (
       insert into docket.ocr_trials (ocr_version, reason, started_by, documents, ended_at)
       values ($1, 'a test', 'test', 1, clock_timestamp()) returning trial_id
     )
     insert into docket.trial_comparisons
       (trial_id, job_id, published_sha256, config_sha256, pages_before, pages_after, characters_before, characters_after,
        character_edits, words_before, words_after, words_kept, fields_before, fields_after, fields_kept, confidence_before,
        confidence_after, seconds_after, pages)
     select t.trial_id, gen_random_uuid(), sha256('a'), $2, 1, 1, 10, 10, 0, 2, 2, 2, 0, 0, 0, 90, 90, 1, '[]' from trial t`,
    [version, config],
  );
}
