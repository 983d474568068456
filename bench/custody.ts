// What custody costs: documents from accepted to published, every event hashed, chained and sealed, receipts issued meanwhile, with an
// engine that recognises nothing and a store in memory; beside them as many empty jobs of graphile-worker itself and of pg-boss.
import assert from 'node:assert/strict';
import { Logger, run, runMigrations, WorkerPreset } from 'graphile-worker';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import { addSource } from '../src/db/commands.ts';
import { createLog } from '../src/log.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { countOf, publishDocuments, until } from './support/custody-load.ts';
import { median, rounded, seconds } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const JOBS = isQuick ? 1_500 : 10_000;
const ROUNDS = 3;
const PEER_CONCURRENCY = 10;

const log = createLog({ level: 'warn' });
const silent = new Logger(() => () => undefined);

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
  const caughtUp: number[] = [];
  let cpu = 0;
  let serverCpu = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await database.cpuSeconds();
    const self = process.cpuUsage();
    const onPublished = async (took: number) => {
      ours.push(took);
      const spent = process.cpuUsage(self);
      const ofServer = (await database.cpuSeconds()) - server;
      serverCpu += ofServer;
      cpu += ofServer + (spent.user + spent.system) / 1e6;
    };
    caughtUp.push(
      await publishDocuments({ database, sender, owner, count: JOBS, wholly: true, onPublished }),
    );
    theirs.push(await graphile(peerUrl, peer));
    boss.push(await pgBoss(peerUrl, peer));
  }
  const { rows } = await owner.query<{ failed: string; events: string }>(
    `select sum(failed_count) as failed, (select count(*) from docket_audit.events) as events
     from docket.verify_all()`,
  );
  assert.equal(Number(rows[0]?.failed), 0, 'chains, seals and results verify');
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
      sealed: true,
      caught_up_s: rounded(median(caughtUp), 2),
      cpu_s: rounded(cpu / ROUNDS, 2),
      server_cpu_s: rounded(serverCpu / ROUNDS, 2),
      n: JOBS,
    }),
  );
} finally {
  await database.close();
}
