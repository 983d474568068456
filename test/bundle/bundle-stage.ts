import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundle } from '../../src/bundle/make-bundle.ts';
import * as commands from '../../src/db/commands.ts';
import type { BundleFiles } from '../../src/verify/bundle-files.ts';
import { readBundle } from '../../src/verify/bundle-files.ts';
import { ReceiptsStage } from '../sql/receipts-stage.ts';
import { page, result, type Stage } from '../sql/stage.ts';
import { found } from '../sql/envelopes-stage.ts';
import { JUDGED_AT, signatureReport } from '../sql/verify-signed.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { LogSigner } from './log-signer.ts';

export const ENVELOPE = Buffer.from('an envelope, of bytes \u0000\u0001 that are no text');
export const PAGES = ['Received in good order\nby Wilhelmina Ångström', 'Second page: 5 colli, € 120'];

/** A published document, and the scan that it is of. */
export interface Bundled {
  readonly job: string;
  readonly scan: Buffer;
}

/** Documents of which everything is there that a bundle can hold, a log that is sealed and signed, and who may read them. */
export class BundleStage {
  readonly receipts: ReceiptsStage;
  readonly signer: LogSigner;
  readonly anna: Login;
  readonly folder: string;

  private constructor(receipts: ReceiptsStage, signer: LogSigner, anna: Login, folder: string) {
    this.receipts = receipts;
    this.signer = signer;
    this.anna = anna;
    this.folder = folder;
  }

  static async open(database: TestDatabase): Promise<BundleStage> {
    const receipts = await ReceiptsStage.open(database);
    const signer = await LogSigner.open(receipts.further.stage);
    const folder = await mkdtemp(join(tmpdir(), 'dkt-bundle-'));
    database.beforeDrop(() => rm(folder, { recursive: true, force: true }));
    return new BundleStage(receipts, signer, await createLogin(database, 'docket_evidence_owner'), folder);
  }

  get stage(): Stage {
    return this.receipts.further.stage;
  }

  /** Delivered with an envelope and read, delivered again by another source, noted upon, with receipts. */
  async published(): Promise<Bundled> {
    const { further } = this.receipts;
    const scan = randomBytes(1000);
    const sha256 = createHash('sha256').update(scan).digest();
    const job = await this.stage.deliver({ sha256, envelope: ENVELOPE });
    await this.stage.admit();
    await this.stage.verify(await this.stage.begin(job, 'hash'));
    const pages = PAGES.map((text, at) => page(text, { page_no: at + 1 }));
    await this.stage.record(
      await this.stage.begin(job, 'ocr'),
      result({ pages_declared: 2, pages_decoded: 2, pages }),
    );
    await this.stage.publish(await this.stage.begin(job, 'publish'));
    await further.deliver({ sha256, envelope: ENVELOPE }, this.stage.sender);
    const other = await further.deliver({ sha256 }, further.other);
    await this.stage.admit();
    await further.claim();
    await further.record({ [other]: null });
    await this.checkEnvelopes();
    await commands.amendMetadata(this.anna.pool, {
      jobs: [job],
      documentKind: null,
      note: 'the driver’s copy',
      reason: 'asked by phone',
    });
    await this.receipts.tell();
    return { job, scan };
  }

  async checkEnvelopes(): Promise<void> {
    await this.stage.db.query(`update docket.envelope_checks set due_at = '2026-01-01'`);
    for (const row of await commands.claimEnvelopeChecks(this.stage.worker, { limit: 100 })) {
      await commands.recordEnvelopeChecks(this.stage.worker, {
        deliveries: [row.delivery_id],
        codes: [null],
        signatures: [found(row.delivery_id, JUDGED_AT, signatureReport({ signer: 'CN=Déjà' }))],
      });
    }
  }

  /** Writes a bundle, with the originals where scans are given; the log is sealed and signed meanwhile. */
  async bundle(
    jobs: readonly string[],
    options: { scan?: Buffer; by?: Login; waitMs?: number } = {},
  ): Promise<string> {
    const { scan, by = this.anna, waitMs = 60_000 } = options;
    const file = join(this.folder, `${randomBytes(4).toString('hex')}.tar`);
    const work = makeBundle(by.pool, {
      jobs,
      reason: 'claim 4711',
      file,
      fetchOriginal: scan && ((_, to) => writeFile(to, scan)),
      waitMs,
      signal: new AbortController().signal,
    });
    await (waitMs > 0 ? this.signer.during(work) : work);
    return file;
  }

  /** The public keys of receipts, as GET /receipt-keys answers them. */
  async receiptKeys(): Promise<string> {
    const { rows } = await this.stage.db.query<{ keys: string }>(
      `select json_build_object('keys', json_agg(public_jwk::json))::text as keys from docket.receipt_keys`,
    );
    return rows[0]!.keys;
  }
}

export function read(file: string): Promise<BundleFiles> {
  return readBundle(createReadStream(file));
}
