// Traffic of a storm: some seconds of it, with one worker, and what came of each document.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Config, loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import type { BenchDatabase } from './bench-database.ts';
import { countOf, until } from './custody-load.ts';
import type { PacedEngine } from './paced-engine.ts';

export interface Traffic {
  readonly seconds: number;
  /** Documents that the storm delivers a second; a quiet source and one of signed papers deliver one each. */
  readonly perSecond: number;
  readonly slots: Pick<Config, 'ocrSlots' | 'ocrReservedSlots'>;
}

export interface Outcome {
  /** Milliseconds from acceptance until recognition began, of signed papers. */
  readonly signedWaits: number[];
  /** Milliseconds from acceptance until publication, of the quiet source. */
  readonly quietAges: number[];
  /** Published while the traffic lasted. */
  readonly pagesASecond: number;
  readonly delivered: number;
  readonly published: number;
}

const store = createMemoryStore();

async function deliver(sender: pg.Client, sourceId: string, kind: string, count: number): Promise<void> {
  const stored = [];
  for (let made = 0; made < count; made += 1) {
    const scan = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(200)]);
    const pieces = (async function* () {
      yield await Promise.resolve(scan);
    })();
    stored.push(await store.put(pieces));
  }
  await sender.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption, document_kind)
     select $1, sha256, locator, size, 'image/png', now(), 'none', $2
     from unnest($3::bytea[], $4::text[], $5::bigint[]) as n (sha256, locator, size)`,
    [
      sourceId,
      kind,
      stored.map((one) => one.sha256),
      stored.map((one) => one.locator),
      stored.map((one) => one.sizeBytes),
    ],
  );
}

/** Then what is left is recognised in a hurry, so that whatever comes next begins with nothing. */
export async function runTraffic(
  {
    database,
    owner,
    sender,
    engine,
  }: { database: BenchDatabase; owner: pg.Client; sender: pg.Client; engine: PacedEngine },
  { seconds, perSecond, slots }: Traffic,
): Promise<Outcome> {
  const from = await countOf(owner, `select coalesce(max(delivery_id), 0) as count from docket.deliveries`);
  const config = {
    ...loadConfig({ DOCKET_TEMP_DIR: join(database.folder, 'temp') }),
    databaseUrl: database.url('postgres'),
    workerUrl: database.url('docket_worker'),
    queueUrl: database.url('docket_queue'),
    ...slots,
  };
  engine.hurry(false);
  const keyring = await openKeyring(
    loadConfig({ DOCKET_KEY_FILE: join(database.folder, 'object-keys.json') }),
  );
  const worker = await startWorker({ config, store, keyring, engine, log: createLog({ level: 'warn' }) });
  const start = performance.now();
  let delivered = 0;
  for (let second = 0; second < seconds; second += 1) {
    await delay(Math.max(0, start + second * 1_000 - performance.now()));
    await deliver(sender, 'storm', 'unknown', perSecond);
    await deliver(sender, 'quiet', 'unknown', 1);
    await deliver(sender, 'signed', 'delivery_receipt', 1);
    delivered += perSecond + 2;
  }
  const pages = await countOf(
    owner,
    `select count(*) from docket_audit.events where event = 'published' and at > now() - interval '${String(seconds)} s'`,
  );
  engine.hurry(true);
  await until(
    () =>
      countOf(
        owner,
        `select 1 - sign(count(*))::integer as count from docket.jobs where state not in ('published', 'quarantined')`,
      ),
    1,
  );
  await worker.stop();
  const { rows } = await owner.query<{ source_id: string; wait: number; age: number }>(
    `select j.source_id, extract(epoch from s.at - j.accepted_at)::double precision * 1000 as wait,
       extract(epoch from j.state_at - j.accepted_at)::double precision * 1000 as age
     from docket.jobs j join docket_audit.events s on s.job_id = j.job_id and s.event = 'started'
     where j.delivery_id > $1`,
    [from],
  );
  const of = (sourceId: string) => rows.filter((row) => row.source_id === sourceId);
  return {
    signedWaits: of('signed').map((row) => row.wait),
    quietAges: of('quiet').map((row) => row.age),
    pagesASecond: pages / seconds,
    delivered,
    published: await countOf(
      owner,
      `select count(*) from docket.jobs where state = 'published' and delivery_id > ${String(from)}`,
    ),
  };
}
