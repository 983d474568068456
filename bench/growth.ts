// Whether work becomes dearer as documents pile up: what a document costs the server from its delivery to published, redacted, told and
// found, and what it takes to admit documents and to claim them, with ten thousand finished ones in the tables and with a million. Two
// databases of one server take turns, each with a worker that stays, so that whatever else the machine does touches both. It is the
// cost of steady work: a page goes whole into the write-ahead log the first time after a checkpoint, so work goes on until most have.
import assert from 'node:assert/strict';
import { addSource } from '../src/db/commands.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { claimTimes } from './support/claim-time.ts';
import {
  countOf,
  openCustody,
  publishDocuments,
  type Custody,
  type CustodySite,
} from './support/custody-load.ts';
import { multiplyDocuments } from './support/multiply-documents.ts';
import { median, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
/** Documents that went through the state machine, of which the others are copies. */
const ORIGINALS = 100;
const FEW = isQuick ? 1_000 : 10_000;
const MANY = isQuick ? 50_000 : 1_000_000;
const JOBS = isQuick ? 500 : 2_000;
/** Not counted: what plans and caches take to get warm, and what pages take that are touched first, of which the many have many. */
const WARM_ROUNDS = { few: 2, many: isQuick ? 2 : 16 };
const ROUNDS = isQuick ? 2 : 6;
const CLAIM_TURNS = isQuick ? 6 : 24;

/** A database of the server, and what was measured of it. */
interface Site extends CustodySite {
  readonly custody: Custody;
  readonly jobCpuMs: number[];
  readonly wholePages: number[];
  readonly claimMs: number[];
  readonly admitMs: number[];
}

// Copying is no part of the measurement, and neither is when the server happens to clean up after it. All fits into the server's
// memory; how dear it is to reach depends on the pages that the machine has for it, so they are told.
const database = await openBenchDatabase({
  autovacuum: 'off',
  shared_buffers: isQuick ? '1GB' : '8GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '16GB',
});

const superuser = await database.connect('postgres', 'postgres');

async function siteOf(name: string): Promise<Site> {
  const site = {
    database: { ...database, url: (role: string) => database.url(role, name) },
    owner: await database.connect('postgres', name),
    sender: await database.connect('bench_sender', name),
  };
  return {
    ...site,
    custody: await openCustody(site),
    jobCpuMs: [],
    wholePages: [],
    claimMs: [],
    admitMs: [],
  };
}

async function fill(name: string, first: number, last: number): Promise<void> {
  const filling = await database.connect('postgres', name);
  await filling.query('set synchronous_commit = off');
  await multiplyDocuments(filling, first, last);
  await filling.query('vacuum (freeze, analyze)');
  await filling.query('checkpoint');
}

async function publish({ custody }: Site): Promise<void> {
  await custody.deliver(JOBS);
  await custody.published();
  await custody.caughtUp();
}

async function measure(site: Site): Promise<void> {
  const [before, written] = [await database.cpuSeconds(), await wholePages()];
  await publish(site);
  site.jobCpuMs.push((((await database.cpuSeconds()) - before) * 1_000) / JOBS);
  site.wholePages.push(((await wholePages()) - written) / JOBS);
}

/** Pages that went whole into the server's write-ahead log. */
async function wholePages(): Promise<number> {
  const { rows } = await superuser.query<{ pages: string }>('select wal_fpi as pages from pg_stat_wal');
  return Number(rows[0]?.pages);
}

try {
  await superuser.query('create role bench_sender login in role docket_app');
  const maker = await database.connect('postgres');
  await addSource(maker, { sourceId: 'bench', login: 'bench_sender' });
  const sender = await database.connect('bench_sender');
  await publishDocuments({ database, sender, owner: maker, count: ORIGINALS, wholly: true });
  await Promise.all([maker.end(), sender.end()]);
  await superuser.query('create database grown template docket');
  await fill('docket', 1, FEW / ORIGINALS - 1);
  await fill('grown', 1, MANY / ORIGINALS - 1);

  const few = await siteOf('docket');
  const many = await siteOf('grown');
  const published = `select count(*) from docket.jobs where state = 'published'`;
  assert.equal(await countOf(few.owner, published), FEW);
  assert.equal(await countOf(many.owner, published), MANY);
  for (const { custody } of [few, many]) await custody.start();
  for (let round = 0; round < WARM_ROUNDS.many; round += 1) await publish(many);
  for (let round = 0; round < WARM_ROUNDS.few; round += 1) await publish(few);
  // as the server does by itself, now and then
  for (const site of [few, many]) await site.owner.query('vacuum');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const site of round % 2 === 0 ? [few, many] : [many, few]) await measure(site);
  }
  for (const { custody } of [few, many]) await custody.stop();
  for (let turn = 0; turn < CLAIM_TURNS; turn += 1) {
    for (const site of turn % 2 === 0 ? [few, many] : [many, few]) {
      const times = await claimTimes(site.owner);
      site.claimMs.push(times.claimMs);
      site.admitMs.push(times.admitMs);
    }
  }

  const { rows } = await superuser.query<{ huge_pages: string }>(
    `select current_setting('huge_pages_status') as huge_pages`,
  );
  const of = (
    key: 'jobCpuMs' | 'wholePages' | 'claimMs' | 'admitMs',
    typical: (values: number[]) => number,
  ) => {
    const [before, after] = [typical(few[key]), typical(many[key])];
    return { few: rounded(before, 3), many: rounded(after, 3), ratio: rounded(after / before, 2) };
  };
  const best = (values: number[]) => Math.min(...values);
  const [job, claim, admission] = [of('jobCpuMs', median), of('claimMs', best), of('admitMs', best)];
  console.log(
    JSON.stringify({
      bench: 'growth',
      value: job.many,
      unit: 'ms of server CPU a document',
      ratio: Math.max(job.ratio, claim.ratio),
      job_cpu_ms: job,
      whole_pages: of('wholePages', median),
      claim_ms: claim,
      admit_ms: admission,
      huge_pages: rows[0]?.huge_pages,
      few: FEW,
      n: MANY,
    }),
  );
} finally {
  await database.close();
}
