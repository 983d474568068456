// What it costs to deliver scans, against the bare floor: the same rows into copies of the same tables with keys and indexes
// only, plus graphile-worker's add_jobs. In bulk (one INSERT) and row by row (8 clients). pg-boss's insert runs beside.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import { addSource, admit } from '../src/db/commands.ts';
import { openBenchDatabase, type BenchDatabase } from './support/bench-database.ts';
import { median, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const BULK_ROWS = 10_000;
const SINGLE_ROWS = isQuick ? 1_600 : 4_000;
const CLIENTS = 8;
const ROUNDS = isQuick ? 3 : 5;

const DELIVER = `
  insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind)
  select 'bench', hash, 'memory:' || encode(hash, 'hex'), 1, 'image/png', now(), 'unknown'
  from unnest($1::bytea[]) as n (hash)`;

/** The floor: one function that writes the rows our intake writes, without a check, a trigger, a foreign key or a hash. */
const FLOOR = `
  create schema floor;
  create table floor.deliveries (like docket.deliveries including defaults including identity including generated including indexes);
  create table floor.jobs (like docket.jobs including defaults including indexes);
  create table floor.events (like docket_audit.events including defaults including identity including indexes);
  create function floor.deliver(p_hashes bytea[]) returns void language sql as $$
    with delivered as (
      insert into floor.deliveries (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind)
      select 'bench', hash, 'memory:' || encode(hash, 'hex'), 1, 'image/png', now(), 'unknown'
      from unnest(p_hashes) as n (hash)
      returning delivery_id, job_id, sha256
    ),
    made as (
      insert into floor.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
      select job_id, sha256, delivery_id, 'bench', 'unknown', 'accepted', 1, sha256, now(), now() from delivered
      returning job_id, sha256
    )
    insert into floor.events (job_id, seq, from_state, event, to_state, at, actor, reason, detail, hash)
    select job_id, 1, 'none', 'accepted', 'accepted', now(), 'bench', 'First delivery of these bytes.',
      '{"delivery": 1, "source": "bench", "sha256": "0000000000000000000000000000000000000000000000000000000000000000"}', sha256
    from made;
    select graphile_worker.add_jobs(array_agg(
      row('floor', json_build_object('job_id', encode(hash, 'hex')), null, null, null, null, null, null)::graphile_worker.job_spec))
    from unnest(p_hashes) as n (hash);
  $$;`;

const hashes = (count: number) => Array.from({ length: count }, () => randomBytes(32));

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function bulk(database: BenchDatabase) {
  const sender = await database.connect('bench_sender');
  const owner = await database.connect('postgres');
  const worker = await database.connect('docket_worker');
  const ours: number[] = [];
  const admitted: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await seconds(() => sender.query(DELIVER, [hashes(BULK_ROWS)])));
    admitted.push(await seconds(() => admit(worker, { window: 1_000_000 })));
    const batch = hashes(BULK_ROWS);
    floor.push(await seconds(() => owner.query('select floor.deliver($1::bytea[])', [batch])));
  }
  const { rows } = await owner.query<{ jobs: string }>(
    `select count(*) as jobs from docket.jobs where state = 'accepted' and next_task = 'hash'`,
  );
  assert.equal(Number(rows[0]?.jobs), ROUNDS * BULK_ROWS, 'every delivered row became an admitted job');
  return { ours: median(ours), admitted: median(admitted), floor: median(floor) };
}

async function single(database: BenchDatabase) {
  const senders = await Promise.all(Array.from({ length: CLIENTS }, () => database.connect('bench_sender')));
  const owners = await Promise.all(Array.from({ length: CLIENTS }, () => database.connect('postgres')));
  const boss = new PgBoss({ connectionString: database.url('postgres'), supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue('bench');

  const spread = (each: (client: number, hash: Buffer) => Promise<unknown>) =>
    seconds(() =>
      Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          for (const hash of hashes(SINGLE_ROWS / CLIENTS)) await each(client, hash);
        }),
      ),
    );
  const ask = (clients: pg.Client[], text: string) => (client: number, hash: Buffer) =>
    clients[client]!.query(text, [[hash]]);
  const ours: number[] = [];
  const floor: number[] = [];
  const pgBoss: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await spread(ask(senders, DELIVER)));
    floor.push(await spread(ask(owners, 'select floor.deliver($1::bytea[])')));
    pgBoss.push(await spread((_, hash) => boss.send('bench', { hash: hash.toString('hex') })));
  }
  await boss.stop({ graceful: false });
  return { ours: median(ours), floor: median(floor), pgBoss: median(pgBoss) };
}

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  await addSource(owner, { sourceId: 'bench', login: 'bench_sender' });
  await owner.query(FLOOR);
  const before = await database.cpuSeconds();
  const inBulk = await bulk(database);
  await owner.query('analyze');
  const rowByRow = await single(database);
  const cpu = (await database.cpuSeconds()) - before;
  const perRow = (total: number, rows: number) => rounded((total / rows) * 1e6, 1);
  console.log(
    JSON.stringify({
      bench: 'intake',
      value: perRow(inBulk.ours, BULK_ROWS),
      unit: 'µs a row in bulk',
      peer: {
        floor_bulk_us: perRow(inBulk.floor, BULK_ROWS),
        floor_single_us: perRow(rowByRow.floor, SINGLE_ROWS),
        pgboss_single_us: perRow(rowByRow.pgBoss, SINGLE_ROWS),
      },
      ratio: rounded(inBulk.ours / inBulk.floor, 2),
      ratio_with_admission: rounded((inBulk.ours + inBulk.admitted) / inBulk.floor, 2),
      ratio_single: rounded(rowByRow.ours / rowByRow.floor, 2),
      single_us: perRow(rowByRow.ours, SINGLE_ROWS),
      admit_us: perRow(inBulk.admitted, BULK_ROWS),
      cpu_s: rounded(cpu, 2),
      n: BULK_ROWS,
    }),
  );
} finally {
  await database.close();
}
