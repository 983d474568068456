import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Keyring } from '../../src/sealing/keyring.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import { createFileStore } from '../../src/store/file-store.ts';
import { makeSamplePdf } from '../ocr/sample-pdf.ts';
import type { Trace } from '../support/traces.ts';
import { tracesOf } from '../support/traces.ts';
import type { Offered } from './deliver-acknowledged.ts';
import { Deliverer } from './deliver-acknowledged.ts';
import type { OwnServer } from './own-server.ts';
import { SOURCE } from './own-server.ts';

/** How many documents are kept under way, so that whoever dies has something in hand. */
const UNDER_WAY = 30;
/** Documents from one look at how many there are to the next. */
const LOOK_EVERY = 10;
const { signal } = new AbortController();

/** Documents that are sealed and delivered for as long as a storm lasts; some of them are PDFs with words of their own. */
export class RecoveryDocuments {
  /** What was acknowledged of all documents, and the words of the PDFs by their names. */
  readonly sender: Deliverer;
  readonly words = new Map<string, string>();
  readonly traces: Trace[] = [];
  readonly #server: OwnServer;
  readonly #keyring: Keyring;
  readonly #pdfEvery: number;
  #isOver = false;
  readonly #delivering: Promise<void>;

  constructor(server: OwnServer, options: { keyring: Keyring; pdfEvery: number }) {
    this.#server = server;
    this.#keyring = options.keyring;
    this.#pdfEvery = options.pdfEvery;
    this.sender = new Deliverer(server.cluster.url('postgres'), server.log);
    this.#delivering = this.#deliver();
  }

  /** Delivers no more; resolves when the last one was acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#delivering;
    await this.sender.stop();
  }

  /** PDFs among the documents whose published text has the words that were put into them. */
  async readWell(): Promise<number> {
    const { acknowledged } = this.sender;
    const names = [...this.words.keys()];
    const [counted] = await this.#server.ask<{ n: number }>(
      `select count(*)::int as n from unnest($1::uuid[], $2::text[]) as n (job_id, words)
       join docket.pages p using (job_id) where position(n.words in p.text) > 0`,
      [names.map((name) => acknowledged.get(name)), names.map((name) => this.words.get(name))],
    );
    return counted!.n;
  }

  async #deliver(): Promise<void> {
    const store = createFileStore(this.#server.config.store.slice('file:'.length));
    for (let n = 0; !this.#isOver;) {
      if (n % LOOK_EVERY === 0 && (await this.#underWay()) >= UNDER_WAY) {
        await delay(50);
        continue;
      }
      const isPdf = n % this.#pdfEvery === 0;
      const bytes = isPdf ? await this.#pdf(String(n)) : png(n);
      const sha256 = createHash('sha256').update(bytes).digest();
      await this.sender.deliver(String(n), async (db: pg.Client): Promise<Offered> => {
        const { object: locator, ...put } = await putScan(
          { store, keyring: this.#keyring, db },
          { sourceId: SOURCE, sha256, bytes: inOne(bytes), signal },
        );
        return {
          ...{ locator, version: put.version, sha256, sizeBytes: put.sizeBytes },
          mediaType: isPdf ? 'application/pdf' : 'image/png',
          encryption: 'docket',
        };
      });
      n += 1;
    }
  }

  /** Documents that are neither published nor quarantined; more than enough, while nobody can tell. */
  async #underWay(): Promise<number> {
    const [counted] = await this.#server
      .ask<{ n: number }>(
        `select count(*)::int as n from docket.jobs where state not in ('published', 'quarantined')`,
      )
      .catch(() => [{ n: UNDER_WAY }]);
    return counted!.n;
  }

  async #pdf(name: string): Promise<Buffer> {
    const words = `Consignment ${String(1_000_000 + Number(name) * 7)}`;
    this.words.set(name, words);
    const { bytes } = await makeSamplePdf([{ lines: [words, 'Received in good order and condition'] }]);
    this.traces.push(...tracesOf(words, Buffer.from(bytes)));
    return Buffer.from(bytes);
  }
}

function png(number: number): Buffer {
  return Buffer.from(
    `\u0089PNG\r\n\u001a\nthe plaintext of document ${String(number)} of the storm`,
    'latin1',
  );
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}
