import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { page, result, Stage } from './stage.ts';

/** A document that is handed out to be read again. */
export type Claimed = commands.ClaimRereadingsRow;

/** What a worker brings of one; what is left out was not looked at. */
export interface Brought {
  code?: string;
  message?: string;
  config?: Buffer;
  result?: string;
  comparison?: string;
}

/** A row of docket.rereadings, and how many attempts at it there were. */
export interface Rereading {
  outcome: string | null;
  code: string | null;
  tries: number;
  attempts: string[];
  is_due: boolean;
}

/** A comparison as the worker brings it, with these counts changed. */
export function comparison(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    pages_before: 1,
    pages_after: 1,
    characters_before: 19,
    characters_after: 20,
    character_edits: 3,
    words_before: 4,
    words_after: 5,
    words_kept: 2,
    fields_before: 1,
    fields_after: 2,
    fields_kept: 1,
    confidence_before: 90,
    confidence_after: 80,
    pages: [{ page: 1, differs: [[1, 2, 30, 40]] }],
    ...changes,
  });
}

/** A result of one page that holds this text. */
export function reading(text: string, changes: Record<string, unknown> = {}): string {
  return result({ pages: [page(text, changes)] });
}

/** Published documents, OCR configurations 1 and 2, an operator who has documents read again, and a worker that does it. */
export class RereadStage {
  readonly stage: Stage;
  readonly operator: Login;
  /** What was handed out to the worker, and it did not forget. */
  held: string[] = [];
  /** Under which is registered what the worker reads with by configuration 2. */
  readonly config: Buffer;

  private constructor(stage: Stage, operator: Login, config: Buffer) {
    this.stage = stage;
    this.operator = operator;
    this.config = config;
  }

  static async open(database: TestDatabase): Promise<RereadStage> {
    return RereadStage.around(await Stage.open(database));
  }

  /** Around what has a stage already, of a database without further OCR configurations. */
  static async around(stage: Stage): Promise<RereadStage> {
    const [config] = await commands.registerOcrConfig(stage.worker, {
      engine: 'none',
      config: '{"psm": 4}',
    });
    const opened = new RereadStage(
      stage,
      await createLogin(stage.database, 'docket_operator'),
      config!.config_sha256,
    );
    await opened.addVersion();
    return opened;
  }

  /** Adds an OCR configuration; returns its number. */
  async addVersion(gates: Record<string, unknown> = {}): Promise<number> {
    const [row] = await commands.addOcrVersion(this.operator.pool, {
      engine: null,
      parameters: '{}',
      pins: '{}',
      gates: JSON.stringify(gates),
      reason: 'a test',
    });
    return row!.ocr_version;
  }

  async withdraw(version: number): Promise<void> {
    await this.stage.db.query(
      `insert into docket.ocr_withdrawals (ocr_version, reason, withdrawn_by) values ($1, 'a test', 'test')`,
      [version],
    );
  }

  /** Orders documents to be read again; returns the numbers of the orders, in the order of the ids. */
  async order(jobs: readonly string[], version = 2, reason = 'a test'): Promise<string[]> {
    const rows = await commands.orderRereadings(this.operator.pool, { jobs, version, reason });
    return rows.map((row) => row.rereading_id);
  }

  async orderOf(readBy: number, version: number, limit = 100): Promise<string[]> {
    const asked = { readBy, version, reason: 'a test', limit };
    return (await commands.orderRereadingsOf(this.operator.pool, asked)).map((row) => row.rereading_id);
  }

  /** Starts a trial of configuration 2, or another. */
  async trial(of: { jobs?: string[]; count?: number; version?: number; reason?: string }): Promise<number> {
    const { version = 2, reason = 'a test', ...documents } = of;
    const [row] = await commands.startTrial(this.operator.pool, { version, reason, ...documents });
    return row!.trial_id;
  }

  /** What waits, handed out; the worker remembers what it was given. */
  async claim(limit = 100, lease = this.stage.lease): Promise<Claimed[]> {
    const claimed = await commands.claimRereadings(this.stage.worker, { lease, limit, held: this.held });
    this.held.push(...claimed.map((one) => one.rereading_id));
    return claimed;
  }

  /** The one document that waits, handed out. */
  async claimOne(): Promise<Claimed> {
    const [claimed, ...others] = await this.claim();
    if (claimed === undefined || others.length > 0) throw new Error('not one document waits');
    return claimed;
  }

  /** Records what was brought of a document that was handed out. */
  async record(claimed: Claimed, brought: Brought): Promise<commands.RecordRereadingsRow> {
    const [row] = await commands.recordRereadings(this.stage.worker, {
      rereadings: [claimed.rereading_id],
      attempts: [claimed.attempt],
      tokens: [claimed.token],
      codes: [brought.code ?? null],
      messages: [brought.message ?? null],
      configs: [brought.config ?? this.config],
      results: [brought.result ?? null],
      comparisons: [brought.comparison ?? null],
    });
    return row!;
  }

  /** Orders a document, hands it out, and brings this of it; the outcome. */
  async reread(job: string, brought: Brought, version = 2): Promise<string> {
    await this.order([job], version);
    return (await this.record(await this.claimOne(), brought)).outcome;
  }

  async rereading(id: string): Promise<Rereading> {
    const { rows } = await this.stage.db.query<Rereading>(
      `select r.outcome, r.code, r.tries, r.due_at <= now() as is_due,
         array(select coalesce(a.outcome, 'open') || coalesce(' ' || a.code, '')
           from docket.reread_attempts a where a.rereading_id = r.rereading_id order by a.attempt) as attempts
       from docket.rereadings r where r.rereading_id = $1`,
      [id],
    );
    return rows[0]!;
  }

  /** What waits for its time waits no more. */
  async timePasses(): Promise<void> {
    await this.stage.db.query(
      `update docket.rereadings r set due_at = '2026-01-01' where ended_at is null and not exists (
         select from docket.reread_attempts a where a.rereading_id = r.rereading_id and a.ended_at is null)`,
    );
  }

  /** The text that people read of a document. */
  async text(job: string): Promise<string> {
    const { rows } = await this.stage.db.query<{ text: string }>(
      `select string_agg(p.text, '|' order by p.page_no) as text
       from docket.jobs j join docket.results r on r.job_id = j.job_id and r.attempt = j.result_attempt
       join docket.pages p on p.job_id = r.job_id and p.result_sha256 = r.result_sha256 where j.job_id = $1`,
      [job],
    );
    return rows[0]!.text;
  }

  /** The findings of a whole verification, as "what: how many, the first". */
  async findings(): Promise<string[]> {
    const rows = await commands.verifyAll(this.stage.db);
    return rows
      .filter((row) => Number(row.failed_count) > 0)
      .map((row) => `${row.checked}: ${row.failed_count}, ${row.first_offender}`);
  }
}
