import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { tamper } from './log-forger.ts';
import { Stage } from './stage.ts';

/** An alert as it is stored. */
export interface StoredAlert {
  alert_id: string;
  subject: string;
  severity: string;
  value: number;
  threshold: number | null;
  fact: string;
  why: string | null;
  next_command: string;
  job_id: string | null;
  calm_rounds: number;
  closed_at: string | null;
}

/** Rounds of those who look whether something is wrong, each as if two seconds had passed. */
export class WatchStage {
  readonly stage: Stage;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  static async open(database: TestDatabase): Promise<WatchStage> {
    return new WatchStage(await Stage.open(database));
  }

  /** One round: what changed, as `opened warning slo:…`. */
  async round(): Promise<string[]> {
    return (await this.rows()).map((row) => `${row.change} ${row.severity} ${row.subject}`);
  }

  /** So many rounds: all that changed. */
  async rounds(count: number): Promise<string[]> {
    const all: string[] = [];
    for (let n = 0; n < count; n += 1) all.push(...(await this.round()));
    return all;
  }

  async rows(): Promise<commands.WatchRow[]> {
    await this.rest();
    return commands.watch(this.stage.worker);
  }

  /** Two seconds pass for those who watch. */
  async rest(): Promise<void> {
    await this.stage.db.query(
      `update docket.watch_rounds set watched_at = watched_at - interval '2 seconds'`,
    );
  }

  /** The alerts that are open. */
  async open(): Promise<StoredAlert[]> {
    const { rows } = await this.stage.db.query<StoredAlert>(
      'select * from docket.alerts where closed_at is null order by alert_id',
    );
    return rows;
  }

  /** As if everything that waits had been accepted, or had changed its state, so many seconds earlier. */
  async older(seconds: number): Promise<void> {
    await tamper(this.stage.db, (client) =>
      client.query(
        `update docket.jobs set accepted_at = accepted_at - make_interval(secs => $1), state_at = state_at - make_interval(secs => $1)`,
        [seconds],
      ),
    );
  }

  /** How recognition came out in this minute: so many documents for each code, by an OCR configuration; no code: they were read. */
  async recognised(
    version: number,
    documents: Readonly<Record<string, number>>,
    { lane = 'standard', job = '00000000-0000-8000-8000-000000000001' } = {},
  ): Promise<void> {
    for (const [code, count] of Object.entries(documents)) {
      await this.stage.db.query(
        `insert into docket.ocr_minutes as m (at, ocr_version, lane, code, documents, job_id)
         values (date_bin('1 minute', clock_timestamp(), timestamptz '2000-01-01 00:00:00+00'), $1, $2, $3, $4, $5)
         on conflict (at, ocr_version, lane, code) do update set documents = m.documents + excluded.documents`,
        [version, lane, code, count, job],
      );
    }
  }

  /** Nothing is left of what waits, what was read, what is closed or down, and no alert is open. */
  async quiet(): Promise<void> {
    await tamper(this.stage.db, (client) =>
      client.query(
        `delete from docket.jobs where state <> 'published'; delete from docket.ocr_minutes; delete from docket.admission_gates;
         delete from docket.breakers; delete from docket.outages; delete from docket.receipt_orders; delete from docket.rollbacks;
         update docket.alerts set closed_at = clock_timestamp() where closed_at is null`,
      ),
    );
  }
}
