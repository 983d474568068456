import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { FurtherStage } from './further-stage.ts';
import { page, randomHash, result, type Candidate } from './stage.ts';

/** A document to be searched: the text of each page, and what of it the rules mask. */
export interface Paper {
  pages: readonly string[];
  masked?: readonly string[];
  sha256?: Buffer;
  sender?: FurtherStage['other'];
  documentKind?: string;
  documentDate?: string;
}

/** A hit as docket_api.search returns it. */
export interface Hit {
  document_id: string;
  page_no: number;
  sha256: string;
  source_id: string;
  document_kind: string;
  document_date: string | null;
  rank: number;
  is_exact: boolean;
  matched: string[];
  snippet: string | null;
  boxes: number[][];
}

/** Filters of a search, in the order of its parameters. */
export interface Filter {
  source?: string;
  kind?: string;
  from?: string;
  to?: string;
}

const mask = (text: string, masked: readonly string[]) =>
  masked.reduce((left, secret) => left.replaceAll(secret, secret.replace(/\S/g, '█')), text);

const tokens = (text: string) => text.split(/\s+/).filter((token) => token !== '' && !token.includes('█'));

/** Each token of a page stands at a place that tells its number, from 0, in the whole text. */
const boxOf = (number: number) => [10 * number, 0, 10 * number + 9, 9];

function wordsOf(text: string): unknown[] {
  return text
    .split(/\s+/)
    .map((token, number) => [token, 90, ...boxOf(number)] as const)
    .filter(([token]) => tokens(token).length > 0);
}

/** Sources, readers of them, and documents that are published, redacted and indexed. */
export class SearchStage {
  readonly further: FurtherStage;
  readonly database: TestDatabase;

  private constructor(database: TestDatabase, further: FurtherStage) {
    this.database = database;
    this.further = further;
  }

  static async open(database: TestDatabase): Promise<SearchStage> {
    return new SearchStage(database, await FurtherStage.open(database));
  }

  get db(): pg.Pool {
    return this.database.pool();
  }

  async analystOf(...sources: string[]): Promise<Login> {
    const login = await createLogin(this.database, 'docket_analyst');
    for (const sourceId of sources) await commands.addSourceReader(this.db, { sourceId, login: login.name });
    return login;
  }

  async activeRuleSet(): Promise<number> {
    const { rows } = await this.db.query<{ id: number }>('select docket.active_rule_set() as id');
    return rows[0]!.id;
  }

  /** Publishes a document and returns its id. It is indexed by the next `index()`. */
  async publish(paper: Paper): Promise<string> {
    const { stage } = this.further;
    const sender = paper.sender ?? stage.sender;
    const { rows } = await sender.pool.query<{ job_id: string }>(
      `insert into docket.submissions
         (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind, document_date)
       values ($1, $2, 'memory:scan-' || $1, 1000, 'image/png', '2026-06-01', $3, $4) returning job_id`,
      [
        sender.sourceId,
        paper.sha256 ?? randomHash(),
        paper.documentKind ?? 'unknown',
        paper.documentDate ?? null,
      ],
    );
    const job = rows[0]!.job_id;
    await stage.admit();
    const hash = await stage.begin(job, 'hash');
    await stage.verify(hash, (hash.candidates as Candidate[])[0]!.delivery_id);
    await stage.record(await stage.begin(job, 'ocr'), await this.resultOf(paper));
    await stage.publish(await stage.begin(job, 'publish'));
    return job;
  }

  private async resultOf({ pages, masked = [] }: Paper): Promise<string> {
    return result({
      pages_declared: pages.length,
      pages_decoded: pages.length,
      pages: pages.map((text, index) => page(text, { page_no: index + 1, words: wordsOf(text) })),
      redaction: {
        rule_set_id: await this.activeRuleSet(),
        pages: pages.map((text, index) => ({
          page_no: index + 1,
          text: mask(text, masked),
          words: wordsOf(mask(text, masked)),
          masks: [],
        })),
      },
    });
  }

  /** Lets a further source deliver a document that is there, and see it. */
  async share(sha256: Buffer, sender: FurtherStage['other'], documentKind = 'unknown'): Promise<void> {
    const delivery = await this.further.deliver({ sha256, locator: 'memory:shared', documentKind }, sender);
    await this.further.stage.admit();
    await this.further.claim();
    await this.further.record({ [delivery]: null });
  }

  /** Redacts by a rule set, which masks nothing, whatever it has not redacted yet. */
  async redactAll(ruleSet: number): Promise<void> {
    const { rows } = await this.db.query<{
      job_id: string;
      attempt: number;
      page_no: number;
      text: string;
      words: unknown;
    }>(
      `select t.job_id, j.result_attempt as attempt, p.page_no, p.text, p.words
       from docket.redaction_todo t
       join docket.jobs j on j.job_id = t.job_id
       join docket.pages p on p.job_id = j.job_id and p.result_sha256 = j.result_sha256
       where t.rule_set_id = $1`,
      [ruleSet],
    );
    await commands.recordRedactions(this.further.stage.worker, {
      ruleSets: rows.map(() => ruleSet),
      jobs: rows.map((row) => row.job_id),
      attempts: rows.map((row) => row.attempt),
      pageNos: rows.map((row) => row.page_no),
      texts: rows.map((row) => row.text),
      words: rows.map((row) => JSON.stringify(row.words)),
      masks: rows.map(() => '[]'),
    });
  }

  /** Brings the index up to date; returns how many rounds it took. */
  async index(limit = 100): Promise<number> {
    for (let round = 1; ; round += 1) {
      const [row] = await commands.indexPages(this.further.stage.worker, { limit });
      if (!row!.is_more) return round;
    }
  }

  async find(reader: { pool: pg.Pool }, query: string | null, filter: Filter = {}): Promise<Hit[]> {
    const { rows } = await reader.pool.query<Hit>('select * from docket_api.search($1, $2, $3, $4, $5)', [
      query,
      filter.source ?? null,
      filter.kind ?? null,
      filter.from ?? null,
      filter.to ?? null,
    ]);
    return rows;
  }

  /** The documents that a search finds, in its order. */
  async documents(reader: { pool: pg.Pool }, query: string, filter: Filter = {}): Promise<string[]> {
    return (await this.find(reader, query, filter)).map((hit) => hit.document_id);
  }
}

export { boxOf };
