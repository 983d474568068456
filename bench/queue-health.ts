// What it takes to tell what waits and since when, and how long documents took, with a million finished documents in the tables, 100,000
// that wait, of 20 sources, and ages of a day of every minute and of 400 days of every hour.
import { addSource, agePercentiles, queueHealth, quarantineGrowth } from '../src/db/commands.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { publishDocuments } from './support/custody-load.ts';
import { multiplyDocuments } from './support/multiply-documents.ts';
import { percentile, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const ORIGINALS = 100;
const MANY = isQuick ? 20_000 : 1_000_000;
const WAITING = isQuick ? 10_000 : 100_000;
const SOURCES = 20;
const CALLS = isQuick ? 20 : 200;

const database = await openBenchDatabase({
  autovacuum: 'off',
  shared_buffers: isQuick ? '1GB' : '8GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '16GB',
});

try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  await addSource(owner, { sourceId: 'bench', login: 'bench_sender' });
  const sender = await database.connect('bench_sender');
  await publishDocuments({ database, sender, owner, count: ORIGINALS, wholly: true });
  await owner.query('set synchronous_commit = off');
  await multiplyDocuments(owner, 1, MANY / ORIGINALS - 1);
  for (let n = 1; n <= SOURCES; n += 1) {
    await addSource(owner, { sourceId: `source-${n}`, login: 'bench_sender' });
    await sender.query(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, document_kind, encryption)
       select $1, sha256(uuid_send(gen_random_uuid())), 'memory:scan', 1000, 'image/png', '2026-01-02 03:04:05+00',
         case when n % 10 = 0 then 'delivery_receipt' else 'unknown' end, 'none'
       from generate_series(1, $2::integer) n`,
      [`source-${n}`, WAITING / SOURCES],
    );
  }
  // four sources an hour, or a minute, each with ages in some twenty buckets
  for (const [table, unit, count] of [
    ['age_minutes', 'minute', 180],
    ['age_hours', 'hour', isQuick ? 500 : 9_600],
  ] as const) {
    await owner.query(
      `insert into docket.${table} (at, measure, lane, source_id, document_kind, bucket, documents)
       select date_bin('1 ${unit}', clock_timestamp() - n * interval '1 ${unit}', '2000-01-01'), m, 'standard', 'source-' || s, 'unknown',
         60 + b, 5
       from generate_series(0, ${count} - 1) n, unnest(array['admission', 'verification', 'recognition', 'publication', 'whole']) m,
         generate_series(1, 4) s, generate_series(1, 20) b
       on conflict do nothing`,
    );
  }
  await owner.query('vacuum (freeze, analyze)');

  const asked: Record<string, () => Promise<unknown[]>> = {
    health_all: () => queueHealth(owner, { by: 'all' }),
    health_lane: () => queueHealth(owner, { by: 'lane' }),
    health_source: () => queueHealth(owner, { by: 'source' }),
    percentiles_5_minutes: () => agePercentiles(owner, { window: '5 minutes' }),
    percentiles_1_hour_by_source: () => agePercentiles(owner, { window: '1 hour', by: 'source' }),
    percentiles_1_day: () => agePercentiles(owner, { window: '1 day' }),
    quarantine_1_day: () => quarantineGrowth(owner, {}),
  };
  const times: Record<string, { p50_ms: number; p95_ms: number }> = {};
  for (const [name, ask] of Object.entries(asked)) {
    const taken: number[] = [];
    for (let call = 0; call < CALLS + 5; call += 1) {
      const start = performance.now();
      await ask();
      // the first calls make plans and fill caches
      if (call >= 5) taken.push(performance.now() - start);
    }
    times[name] = { p50_ms: rounded(percentile(taken, 50), 2), p95_ms: rounded(percentile(taken, 95), 2) };
  }
  console.log(
    JSON.stringify({
      bench: 'queue-health',
      value: times['health_source']!.p95_ms,
      unit: 'ms to tell by source what waits, p95',
      ...times,
      waiting: WAITING,
      n: MANY,
    }),
  );
} finally {
  await database.close();
}
