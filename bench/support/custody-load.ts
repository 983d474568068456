// The load of custody: documents from accepted to published, with an engine that recognises nothing and a store in memory.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import type { BenchDatabase } from './bench-database.ts';
import { seconds } from './statistics.ts';

const log = createLog({ level: 'warn' });

/** Waits until a count reaches a number; the work itself is what is timed, so the count is asked seldom. */
export async function until(count: () => Promise<number>, wanted: number): Promise<void> {
  while ((await count()) < wanted) await delay(100);
}

export async function countOf(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(query);
  return Number(rows[0]?.count);
}

/** Deliveries of one source, and a worker that takes them to the end. */
export interface Custody {
  /** Delivers documents that were never seen. */
  deliver(count: number): Promise<void>;
  /** Starts the worker; it is stopped by `stop`. */
  start(): Promise<void>;
  /** Resolves when every document that was delivered is published. */
  published(): Promise<void>;
  /** Resolves when receipts and the search index have caught up too. */
  caughtUp(): Promise<void>;
  /** Fails if anything that was delivered was not published. */
  stop(): Promise<void>;
}

export interface CustodySite {
  readonly database: BenchDatabase;
  readonly sender: pg.Client;
  readonly owner: pg.Client;
}

export async function openCustody({ database, sender, owner }: CustodySite): Promise<Custody> {
  const store = createMemoryStore();
  const keys = loadConfig({
    DOCKET_KEY_FILE: join(database.folder, 'object-keys.json'),
    DOCKET_RECEIPT_KEY: join(database.folder, 'receipt-keys.json'),
  });
  const keyring = await openKeyring(keys);
  const signer = await openReceiptSigner(keys, { mayMake: true });
  const engine = createNullEngine();
  const config = {
    ...loadConfig({ DOCKET_DATABASE_URL: database.url('postgres') }),
    workerUrl: database.url('docket_worker'),
    queueUrl: database.url('docket_queue'),
    ioSlots: 250,
    ocrSlots: 200,
  };
  const before = await countOf(owner, PUBLISHED);
  let delivered = 0;
  let stopWorker: () => Promise<void> = () => Promise.resolve();
  const asked = async (question: string) => {
    await owner.query(BY_INDEX);
    await until(() => countOf(owner, question), 1);
    await owner.query(AS_BEFORE);
  };
  return {
    async deliver(count) {
      const stored = [];
      for (let made = 0; made < count; made++) {
        const bytes = Buffer.concat([PNG, createHash('sha256').update(randomUUID()).digest()]);
        stored.push(await store.put(chunks(bytes)));
      }
      await sender.query(
        `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
         select 'bench', hash, locator, size, 'image/png', now(), 'none' from unnest($1::bytea[], $2::text[], $3::bigint[]) as n (hash, locator, size)`,
        [
          stored.map((one) => one.sha256),
          stored.map((one) => one.locator),
          stored.map((one) => one.sizeBytes),
        ],
      );
      delivered += count;
    },
    async start() {
      const worker = await startWorker({ config, store, keyring, engine, signer, log });
      stopWorker = () => worker.stop();
    },
    published: () => asked(NOTHING_UNDER_WAY),
    caughtUp: () => asked(HAS_CAUGHT_UP),
    async stop() {
      await stopWorker();
      await engine.close();
      keyring.close();
      assert.equal((await countOf(owner, PUBLISHED)) - before, delivered, 'all are published');
    },
  };
}

/**
 * Delivers documents, then starts a worker that takes them to the end, and returns how many seconds that took until the last one
 * was published; or, if it is to be `wholly`, until receipts and the search index have caught up too. Of the seconds until the last
 * one was published `onPublished` is told when that is; what it does then is not in the time.
 */
export async function publishDocuments({
  count,
  wholly = false,
  onPublished,
  ...site
}: CustodySite & {
  count: number;
  wholly?: boolean;
  onPublished?: (seconds: number) => void | Promise<void>;
}): Promise<number> {
  const custody = await openCustody(site);
  await custody.deliver(count);
  let took = await seconds(async () => {
    await custody.start();
    await custody.published();
  });
  await onPublished?.(took);
  if (wholly) took += await seconds(() => custody.caughtUp());
  await custody.stop();
  return took;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55', 'hex');

const PUBLISHED = `select count(*) from docket.jobs where state = 'published'`;

/**
 * Answered by small indexes, so that asking costs the same however many documents there are; whatever the statistics say, and with
 * scans that leave marks at what is no longer there.
 */
const NOTHING_UNDER_WAY = `select (not exists (select from docket.jobs where next_task is not null)
  and not exists (select from docket.jobs where state = 'accepted' and next_task is null and lane is null))::integer as count`;
const HAS_CAUGHT_UP = `select (not exists (select from docket.search_todo) and not exists (select from docket.receipt_orders))::integer as count`;
const BY_INDEX = 'set enable_seqscan = off; set enable_bitmapscan = off';
const AS_BEFORE = 'reset enable_seqscan; reset enable_bitmapscan';

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
