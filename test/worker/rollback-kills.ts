import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';

export const STEPS = ['close', 'drain', 'restore', 'reopen'] as const;

/** One statement on some connection of the superuser. */
export type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** A rollback that can be held in the middle of a step, where whoever does it is then killed. */
export class HeldRollback {
  readonly #ask: Ask;

  private constructor(ask: Ask) {
    this.#ask = ask;
  }

  static async prepare(ask: Ask): Promise<HeldRollback> {
    await ask('create table public.held_step (step text)');
    await ask(`
      create function public.hold_step() returns trigger language plpgsql as $$
      begin
        while exists (select from public.held_step h where h.step = old.step and new.step <> old.step) loop
          perform pg_sleep(0.02);
        end loop;
        return new;
      end $$`);
    await ask('grant select on public.held_step to public');
    await ask(
      'create trigger holds before update on docket.rollbacks for each row execute function public.hold_step()',
    );
    return new HeldRollback(ask);
  }

  /** Activates a new OCR configuration, and begins to roll it back; it will be held in the step. */
  async begin(step: string): Promise<void> {
    const [added] = await this.#ask<{ id: number }>(
      `select docket.add_ocr_version(null, '{"preparation": {"targetDpi": 100}}', '{}', '{}', 'a test') as id`,
    );
    await this.#ask(
      `update docket.ocr_choice
       set known_good_version = active_version, active_version = $1, activated_at = clock_timestamp()`,
      [added!.id],
    );
    await this.#ask('insert into public.held_step values ($1)', [step]);
    await this.#ask(`select from docket.start_rollback('a test', '1 minute')`);
  }

  /** Waits until somebody is held; answers the process of the server. */
  async held(): Promise<number> {
    return eventually('somebody is in the middle of the step', async () => {
      const [row] = await this.#ask<{ pid: number }>(
        `select pid from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep' and query like '%advance_rollback%'`,
      );
      return row?.pid;
    });
  }

  /** Holds nobody any more. */
  async letGo(): Promise<void> {
    await this.#ask('delete from public.held_step');
  }

  /** The step that is next, and the steps that were recorded, of the newest rollback. */
  async progress(): Promise<{ step: string; done: string[] }> {
    const [row] = await this.#ask<{ rollback_id: number; step: string }>(
      'select rollback_id, step from docket.rollbacks order by 1 desc limit 1',
    );
    const events = await this.#ask<{ step: string }>(
      `select detail::json ->> 'step' as step from docket_audit.events
       where job_id = '00000000-0000-0000-0000-000000000000' and event = 'rollback_advanced'
         and detail::json ->> 'rollback' = $1
       order by seq`,
      [String(row!.rollback_id)],
    );
    return { step: row!.step, done: events.map((event) => event.step) };
  }

  /** Waits for the end, and asserts that every step was done once, the right one reads, and admission is open. */
  async ends(): Promise<void> {
    await eventually('the rollback is done', async () => (await this.progress()).step === 'done', {
      withinMs: 60_000,
    });
    assert.deepEqual((await this.progress()).done, STEPS);
    assert.deepEqual(
      await this.#ask(
        `select active_version, known_good_version, rollback_to, exists (select from docket.admission_gates) as is_closed
         from docket.ocr_choice`,
      ),
      [{ active_version: 1, known_good_version: 1, rollback_to: null, is_closed: false }],
    );
  }
}
