import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { FurtherStage } from './further-stage.ts';
import { page, randomHash, result, type Candidate } from './stage.ts';

/** A scan and what its sender states of the people on it. */
export interface Kept {
  sha256?: Buffer;
  documentKind?: string;
  pages?: readonly string[];
  signer?: Record<string, unknown>;
  envelope?: Buffer;
  sender?: FurtherStage['other'];
}

/** A delivered scan, with what of it must not outlive a disposal. */
export interface Delivered {
  job: string;
  sha256: Buffer;
  locator: string;
  wrappedKey: Buffer;
}

/** Documents with all that can be kept of one, and evidence owners to decide on them. Kind `unknown` is kept for no time. */
export class CustodyStage {
  readonly database: TestDatabase;
  readonly further: FurtherStage;
  readonly anna: Login;
  readonly berta: Login;

  private constructor(database: TestDatabase, further: FurtherStage, anna: Login, berta: Login) {
    this.database = database;
    this.further = further;
    this.anna = anna;
    this.berta = berta;
  }

  static async open(database: TestDatabase): Promise<CustodyStage> {
    const further = await FurtherStage.open(database);
    const anna = await createLogin(database, 'docket_evidence_owner');
    const berta = await createLogin(database, 'docket_evidence_owner');
    await commands.setRetention(anna.pool, {
      documentKind: 'unknown',
      retention: '1 microsecond',
      reason: 'kept for the test alone',
    });
    return new CustodyStage(database, further, anna, berta);
  }

  get db(): pg.Pool {
    return this.database.pool();
  }

  /** Seals and delivers a scan, as `docket submit` does: a key, an object, a delivery. */
  async deliver(kept: Kept = {}): Promise<Delivered> {
    const put = await this.put(kept);
    await this.state(put, kept);
    await this.further.stage.admit();
    return put;
  }

  /** Seals a scan, and does not deliver it yet. */
  async put(kept: Kept = {}): Promise<Delivered> {
    const sender = kept.sender ?? this.further.stage.sender;
    const sha256 = kept.sha256 ?? randomHash();
    const wrappedKey = randomBytes(48);
    const locator = `memory:${randomBytes(16).toString('hex')}`;
    await commands.recordObject(sender.pool, {
      objectKeyId: randomUUID(),
      sourceId: sender.sourceId,
      locator,
      version: null,
      sha256,
      sizeBytes: '1000',
      sealedSha256: randomHash(),
      sealedSizeBytes: '1300',
      keyId: 'key-1',
      wrappedKey,
    });
    const { rows } = await this.db.query<{ job_id: string }>(
      'select job_id from docket.object_keys where locator = $1',
      [locator],
    );
    return { job: rows[0]!.job_id, sha256, locator, wrappedKey };
  }

  /** Delivers what was put; admission has not noticed it yet. */
  async state({ sha256, locator }: Delivered, kept: Kept = {}): Promise<void> {
    const sender = kept.sender ?? this.further.stage.sender;
    await sender.pool.query(
      `insert into docket.submissions
         (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind, signer, envelope)
       values ($1, $2, $3, 1000, 'image/png', '2026-06-01', $4, $5, $6)`,
      [
        sender.sourceId,
        sha256,
        locator,
        kept.documentKind ?? 'unknown',
        JSON.stringify(kept.signer ?? {}),
        kept.envelope,
      ],
    );
  }

  /** Brings a document to publication, redacted by the active rules (which mask nothing here), and into the search index. */
  async published(kept: Kept = {}): Promise<Delivered> {
    const delivered = await this.deliver(kept);
    await this.publish(delivered, kept);
    return delivered;
  }

  /** The same with a document that was delivered already: its bytes are seen where that delivery says. */
  async publish(delivered: Delivered, kept: Kept = {}): Promise<void> {
    const { stage } = this.further;
    const hash = await stage.begin(delivered.job, 'hash');
    const seen = (hash.candidates as Candidate[]).find((one) => one.locator === delivered.locator);
    await stage.verify(hash, seen!.delivery_id);
    const pages = kept.pages ?? ['Received in good order and condition'];
    const { rows } = await this.db.query<{ id: number }>('select docket.active_rule_set() as id');
    await stage.record(
      await stage.begin(delivered.job, 'ocr'),
      result({
        pages_declared: pages.length,
        pages_decoded: pages.length,
        pages: pages.map((text, index) => page(text, { page_no: index + 1 })),
        redaction: {
          rule_set_id: rows[0]!.id,
          pages: pages.map((text, index) => ({ page_no: index + 1, text, words: [], masks: [] })),
        },
      }),
    );
    await stage.publish(await stage.begin(delivered.job, 'publish'));
    await this.index();
  }

  /** Brings a document into quarantine before its bytes were seen. */
  async quarantined(kept: Kept = {}, code = 'HASH_MISMATCH'): Promise<Delivered> {
    const delivered = await this.deliver(kept);
    const { stage } = this.further;
    await stage.fail(await stage.begin(delivered.job, 'hash'), code);
    return delivered;
  }

  /** Brings a document into quarantine after its bytes were seen. */
  async unread(kept: Kept = {}): Promise<Delivered> {
    const delivered = await this.deliver(kept);
    const { stage } = this.further;
    await stage.verify(await stage.begin(delivered.job, 'hash'));
    await stage.fail(await stage.begin(delivered.job, 'ocr'), 'CORRUPT');
    return delivered;
  }

  /** Brings the search index up to date. */
  async index(): Promise<void> {
    while ((await commands.indexPages(this.further.stage.worker, { limit: 100 }))[0]!.is_more);
  }

  request(job: string, by = this.anna): Promise<commands.RequestDisposalRow[]> {
    return commands.requestDisposal(by.pool, { jobs: [job], reason: 'no longer needed' });
  }

  approve(job: string, by = this.berta): Promise<commands.ApproveDisposalRow[]> {
    return commands.approveDisposal(by.pool, { jobs: [job], reason: 'agreed' });
  }

  /** Both halves, by two persons. */
  async dispose(job: string): Promise<void> {
    await this.request(job);
    await this.approve(job);
  }

  /** The row of docket.document_custody of a document, as an evidence owner reads it. */
  async custody(job: string): Promise<Record<string, unknown>> {
    const { rows } = await this.anna.pool.query<Record<string, unknown>>(
      'select * from docket.document_custody where job_id = $1',
      [job],
    );
    return rows[0]!;
  }

  /** What the checks of an auditor found wrong, over the whole database. */
  async wrong(): Promise<unknown[]> {
    const { rows } = await this.db.query<Record<string, unknown>>(
      `select checked, first_offender from docket.verify_all() where failed_count > 0`,
    );
    return rows;
  }

  /** Whether the statistics of the planner hold one of the texts, bytes in hex. */
  async isSampled(...texts: string[]): Promise<boolean> {
    const { rows } = await this.db.query<{ is_sampled: boolean }>(
      `select count(*) > 0 as is_sampled
       from pg_stats s
       where exists (
         select from unnest($1::text[]) x where strpos(lower(concat_ws(' ', s.most_common_vals, s.histogram_bounds, s.most_common_elems)), lower(x)) > 0
       )`,
      [texts],
    );
    return rows[0]!.is_sampled;
  }

  /** The tables, of any schema of the product, that hold one of the texts: each row is looked at as a whole, bytes in hex. */
  async tablesWith(...texts: string[]): Promise<string[]> {
    const { rows } = await this.db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('docket', 'docket_audit', 'graphile_worker') order by 1`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await this.db.query(
        `select from ${name} as t where exists (select from unnest($1::text[]) x where strpos(lower(t::text), lower(x)) > 0) limit 1`,
        [texts],
      );
      if (rowCount) found.push(name);
    }
    return found;
  }
}
