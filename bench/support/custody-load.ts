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

/**
 * Delivers documents that are not admitted yet, then lets a worker take them to the end, and returns how many seconds that took
 * until the last one was published; or, if it is to be `wholly`, until receipts and the search index have caught up too. Of the
 * seconds until the last one was published `onPublished` is told when that is; what it does then is not in the time.
 */
export async function publishDocuments(load: {
  database: BenchDatabase;
  sender: pg.Client;
  owner: pg.Client;
  count: number;
  wholly?: boolean;
  onPublished?: (seconds: number) => void | Promise<void>;
}): Promise<number> {
  const { database, sender, owner, count, wholly = false, onPublished } = load;
  const store = createMemoryStore();
  const stored = [];
  for (let made = 0; made < count; made++) {
    const bytes = Buffer.concat([PNG, createHash('sha256').update(randomUUID()).digest()]);
    stored.push(await store.put(chunks(bytes)));
  }
  await sender.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
     select 'bench', hash, locator, size, 'image/png', now(), 'none' from unnest($1::bytea[], $2::text[], $3::bigint[]) as n (hash, locator, size)`,
    [stored.map((one) => one.sha256), stored.map((one) => one.locator), stored.map((one) => one.sizeBytes)],
  );
  const published = `select count(*) from docket.jobs where state = 'published'`;
  const before = await countOf(owner, published);
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
  await owner.query(BY_INDEX);
  let stop: () => Promise<void> = () => Promise.resolve();
  let took = await seconds(async () => {
    const worker = await startWorker({ config, store, keyring, engine, signer, log });
    stop = () => worker.stop();
    await until(() => countOf(owner, NOTHING_UNDER_WAY), 1);
  });
  await onPublished?.(took);
  if (wholly) took += await seconds(() => until(() => countOf(owner, HAS_CAUGHT_UP), 1));
  await stop();
  await engine.close();
  await owner.query(AS_BEFORE);
  assert.equal((await countOf(owner, published)) - before, count, 'all are published');
  return took;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55', 'hex');

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
