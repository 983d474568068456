// What custody costs: documents from accepted to published, every event hashed and chained, receipts issued meanwhile, with an engine that recognises
// nothing and a store in memory; beside them as many empty jobs of graphile-worker itself and of pg-boss.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, run, runMigrations, WorkerPreset } from 'graphile-worker';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import { loadConfig } from '../src/config.ts';
import { addSource } from '../src/db/commands.ts';
import { createLog } from '../src/log.ts';
import { createNullEngine } from '../src/ocr/null-engine.ts';
import { openReceiptSigner } from '../src/receipts/signer.ts';
import { openKeyring } from '../src/sealing/keyring.ts';
import { createMemoryStore } from '../src/store/memory-store.ts';
import { startWorker } from '../src/worker/start-worker.ts';
import { openBenchDatabase, type BenchDatabase } from './support/bench-database.ts';
import { median, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const JOBS = isQuick ? 1_500 : 10_000;
const ROUNDS = 3;
const PEER_CONCURRENCY = 10;

const log = createLog({ level: 'warn' });
const silent = new Logger(() => () => undefined);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

/** Waits until a count reaches a number; the work itself is what is timed, so the count is asked seldom. */
async function until(count: () => Promise<number>, wanted: number): Promise<void> {
  while ((await count()) < wanted) await delay(100);
}

async function countOf(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(query);
  return Number(rows[0]?.count);
}

/** Delivers documents that are not admitted yet, then lets a worker take them to the end. */
async function custody(database: BenchDatabase, sender: pg.Client, owner: pg.Client): Promise<number> {
  const store = createMemoryStore();
  const stored = [];
  for (let made = 0; made < JOBS; made++) {
    const bytes = Buffer.concat([PNG, createHash('sha256').update(randomUUID()).digest()]);
    stored.push(await store.put(chunks(bytes)));
  }
  await sender.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
     select 'bench', hash, locator, size, 'image/png', now(), 'none' from unnest($1::bytea[], $2::text[], $3::bigint[]) as n (hash, locator, size)`,
    [stored.map((one) => one.sha256), stored.map((one) => one.locator), stored.map((one) => one.sizeBytes)],
  );
  const before = await countOf(owner, `select count(*) from docket.jobs where state = 'published'`);
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
  let stop: () => Promise<void> = () => Promise.resolve();
  const took = await seconds(async () => {
    const worker = await startWorker({ config, store, keyring, engine, signer, log });
    stop = () => worker.stop();
    await until(
      () => countOf(owner, `select count(*) from docket.jobs where state = 'published'`),
      before + JOBS,
    );
  });
  await stop();
  await engine.close();
  return took;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55', 'hex');

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** graphile-worker as it comes, with tasks that do nothing. */
async function graphile(url: string, owner: pg.Client): Promise<number> {
  await owner.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select row('nothing', '{}'::json, null, null, null, null, null, null)::graphile_worker.job_spec from generate_series(1, $1)))`,
    [JOBS],
  );
  let stop: () => Promise<void> = () => Promise.resolve();
  const took = await seconds(async () => {
    const runner = await run({
      connectionString: url,
      taskList: { nothing: () => undefined },
      noHandleSignals: true,
      logger: silent,
      preset: {
        extends: [WorkerPreset],
        worker: { concurrentJobs: PEER_CONCURRENCY, maxPoolSize: PEER_CONCURRENCY + 2 },
      },
    });
    stop = () => runner.stop();
    await until(async () => JOBS - (await countOf(owner, 'select count(*) from graphile_worker.jobs')), JOBS);
  });
  await stop();
  return took;
}

async function pgBoss(url: string, owner: pg.Client): Promise<number> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss'));
  await boss.start();
  await boss.createQueue('nothing');
  await boss.insert(Array.from({ length: JOBS }, () => ({ name: 'nothing', data: {} })));
  const took = await seconds(() =>
    Promise.all(
      Array.from({ length: PEER_CONCURRENCY }, async () => {
        for (;;) {
          const [job] = await boss.fetch('nothing');
          if (!job) return;
          await boss.complete('nothing', job.id);
        }
      }),
    ),
  );
  await boss.stop({ graceful: false });
  await owner.query('drop schema pgboss cascade');
  return took;
}

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  await addSource(owner, { sourceId: 'bench', login: 'bench_sender' });
  const sender = await database.connect('bench_sender');
  await owner.query('create database peer');
  const peerUrl = database.url('postgres').replace('/docket?', '/peer?');
  await runMigrations({ connectionString: peerUrl, logger: silent });
  const peer = await database.connect('postgres', 'peer');
  await peer.query('analyze');

  const ours: number[] = [];
  const theirs: number[] = [];
  const boss: number[] = [];
  let cpu = 0;
  let serverCpu = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await database.cpuSeconds();
    const self = process.cpuUsage();
    ours.push(await custody(database, sender, owner));
    const spent = process.cpuUsage(self);
    const ofServer = (await database.cpuSeconds()) - server;
    serverCpu += ofServer;
    cpu += ofServer + (spent.user + spent.system) / 1e6;
    theirs.push(await graphile(peerUrl, peer));
    boss.push(await pgBoss(peerUrl, peer));
  }
  const { rows } = await owner.query<{ failed: string; events: string }>(
    `select sum(failed_count) as failed, (select count(*) from docket_audit.events) as events
     from docket.verify_all()`,
  );
  assert.equal(Number(rows[0]?.failed), 0, 'chains and results verify');
  assert.equal(Number(rows[0]?.events), ROUNDS * JOBS * 6, 'six events a document');
  const rate = (times: number[]) => rounded(JOBS / median(times), 0);
  console.log(
    JSON.stringify({
      bench: 'custody',
      value: rate(ours),
      unit: 'documents/s',
      peer: { graphile_worker: rate(theirs), pg_boss: rate(boss) },
      ratio: rounded(median(theirs) / median(ours), 2),
      ratio_pgboss: rounded(median(boss) / median(ours), 2),
      sealed: false,
      cpu_s: rounded(cpu / ROUNDS, 2),
      server_cpu_s: rounded(serverCpu / ROUNDS, 2),
      n: JOBS,
    }),
  );
} finally {
  await database.close();
}
