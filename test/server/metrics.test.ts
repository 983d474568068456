import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Stage } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { plantAges, plantMeasuring, plantQuarantines, plantStanding } from './planted-figures.ts';
import { ofMetric, scrape, SCRAPER, seriesOf } from './scrape.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
const db = database.pool();
const SOURCES = 25;
let server: ServerFixture;
let series: Map<string, number>;

before(async () => {
  const stage = await Stage.open(database);
  await plantMeasuring(db);
  await plantStanding(db, [
    { by: 'all', measure: 'waiting', documents: null, seconds: 5000 },
    { by: 'all', measure: 'running', documents: 3, seconds: 7.5 },
    { by: 'lane', measure: 'waiting', group: 'signed', documents: null, seconds: 60 },
    { by: 'pool', measure: 'running', group: 'ocr', documents: 2, seconds: 7.5 },
    // source-25 waits for longest; source-01 runs for longest of all
    ...Array.from({ length: SOURCES }, (_, at) => ({
      by: 'source',
      measure: 'waiting',
      group: `source-${String(at + 1).padStart(2, '0')}`,
      documents: at + 1,
      seconds: 100 * (at + 1),
    })),
    { by: 'source', measure: 'running', group: 'source-01', documents: 1, seconds: 9000 },
    { by: 'source', measure: 'running', group: 'source-02', documents: 4, seconds: 20 },
    { by: 'source', measure: 'untold', group: 'source-02', documents: null, seconds: 30 },
    { by: 'source', measure: 'untold', group: 'source-03', documents: 2, seconds: 10 },
  ]);
  const age = { measure: 'whole', documents: 10, p50: 1000, p95: 2500, p99: 4000 };
  await plantAges(db, [
    { ...age, window: '5 minutes', by: 'all' },
    { ...age, window: '1 hour', by: 'all', documents: 70, p99: 9000 },
    { ...age, window: '1 day', by: 'all', documents: 900 },
    ...Array.from({ length: SOURCES }, (_, at) => ({
      ...age,
      window: '5 minutes',
      by: 'source',
      group: `source-${String(at + 1).padStart(2, '0')}`,
      p95: 3000 - 100 * at,
      p99: 5000 + at,
    })),
  ]);
  await plantQuarantines(db, [
    { window: '1 hour', code: 'CORRUPT', source: 'carrier-a', documents: 2 },
    { window: '1 hour', code: 'CORRUPT', source: 'carrier-b', documents: 3 },
    { window: '1 day', code: 'HASH_MISMATCH', source: 'carrier-a', documents: 8 },
  ]);
  await db.query(`
    set role docket_operator;
    select docket.close_admission('kind:unknown', 'who sends these?');
    select docket.set_pool_limit('ocr', null, 4, 'the machine does the books');
    select docket.set_pool_limit('io', 0, null, 'nothing is to be read');
    reset role;
    insert into docket.breakers (dependency, host, state, failures, jobs, first_failure_at, last_code, probe_at)
    values ('store', 'one', 'open', 3, '{}', now(), 'STORE_UNAVAILABLE', now()),
      ('store', 'two', 'probing', 3, '{}', now(), 'STORE_UNAVAILABLE', now()),
      ('keys', 'one', 'closed', 1, '{}', now(), 'KEY_UNAVAILABLE', null);
    insert into docket.alerts (subject, severity, fact, next_command, closed_at)
    values ('slo:a', 'breach', 'A test.', 'docket status', null), ('slo:b', 'breach', 'A test.', 'docket status', null),
      ('slo:c', 'rollback', 'A test.', 'docket status', null), ('slo:d', 'warning', 'A test.', 'docket status', now());
    update docket.watch_rounds set watched_at = now() - interval '100 seconds';
  `);
  await db.query('select docket.report_slots($1, $2, $3, $4, $5)', [
    stage.lease,
    ['ocr', 'io'],
    [2, 10],
    [1, 7],
    [null, null],
  ]);
  server = await serve(database, { graphqlConnections: 1 });
  series = await scrape(server);
});

test('of what stands there, the age of the oldest is told for every measure, and the number where it is counted', () => {
  const oldest = ofMetric(series, 'docket_oldest_seconds');
  const documents = ofMetric(series, 'docket_documents');
  const all = (measure: string) => `{measure="${measure}",by="all",group=""}`;
  assert.equal(oldest[all('waiting')], 5000);
  assert.equal(documents[all('waiting')], undefined, 'not counted');
  assert.equal(oldest[all('running')], 7.5);
  assert.equal(documents[all('running')], 3);
  for (const measure of ['undeferred', 'admitted', 'unpublished', 'unsealed', 'untold']) {
    assert.equal(oldest[all(measure)], 0, measure);
    assert.equal(documents[all(measure)], 0, measure);
  }
  assert.equal(oldest['{measure="waiting",by="lane",group="signed"}'], 60);
  assert.equal(documents['{measure="running",by="pool",group="ocr"}'], 2);
});

test('of many sources the twenty with the oldest are named, and the rest is told of together', () => {
  const oldest = ofMetric(series, 'docket_oldest_seconds');
  const documents = ofMetric(series, 'docket_documents');
  const named = Object.keys(oldest).flatMap(
    (labels) => /by="source",group="([^"]+)"/.exec(labels)?.[1] ?? [],
  );
  const wanted = [1, ...Array.from({ length: 19 }, (_, at) => 7 + at)].map(
    (number) => `source-${String(number).padStart(2, '0')}`,
  );
  assert.deepEqual([...new Set(named)].sort(), ['(other)', ...wanted]);
  // 2 to 6 are the rest
  assert.equal(oldest['{measure="waiting",by="source",group="(other)"}'], 600);
  assert.equal(documents['{measure="waiting",by="source",group="(other)"}'], 2 + 3 + 4 + 5 + 6);
  assert.equal(oldest['{measure="running",by="source",group="(other)"}'], 20);
  assert.equal(oldest['{measure="untold",by="source",group="(other)"}'], 30);
  assert.equal(documents['{measure="untold",by="source",group="(other)"}'], undefined, 'one was not counted');
});

test('ages of what came out are told in seconds, for each window and part', () => {
  const ages = ofMetric(series, 'docket_age_seconds');
  const label = (window: string, quantile: string, by = 'all', group = '') =>
    `{measure="whole",window="${window}",quantile="${quantile}",by="${by}",group="${group}"}`;
  assert.equal(ages[label('5m', '0.5')], 1);
  assert.equal(ages[label('5m', '0.95')], 2.5);
  assert.equal(ages[label('1h', '0.99')], 9);
  assert.equal(ages[label('1d', '0.99')], 4);
  // the slowest by their 95 % are 1 to 20; of the others the greatest is told
  assert.equal(ages[label('5m', '0.95', 'source', 'source-20')], 1.1);
  assert.equal(ages[label('5m', '0.95', 'source', 'source-21')], undefined);
  assert.equal(ages[label('5m', '0.95', 'source', '(other)')], 1);
  assert.equal(ages[label('5m', '0.99', 'source', '(other)')], 5.024);
  const counts = ofMetric(series, 'docket_age_documents');
  assert.equal(counts['{measure="whole",window="1d",by="all",group=""}'], 900);
  assert.equal(counts['{measure="whole",window="5m",by="source",group="(other)"}'], 50);
});

test('quarantines by code, workers, slots, outages, closed gates and the size of the log are told', async () => {
  assert.deepEqual(ofMetric(series, 'docket_quarantined_documents'), {
    '{code="CORRUPT",window="1h"}': 5,
    '{code="HASH_MISMATCH",window="1d"}': 8,
  });
  assert.deepEqual(ofMetric(series, 'docket_workers'), { '': 1 });
  const slots = ofMetric(series, 'docket_pool_slots');
  assert.equal(slots['{pool="ocr",kind="limit"}'], 4);
  assert.equal(slots['{pool="io",kind="limit"}'], 0);
  assert.equal(slots['{pool="audit",kind="limit"}'], undefined);
  const { rows } = await db.query<{ pool: string; granted: number; running: number }>(
    'select pool, sum(granted)::int as granted, sum(running)::int as running from docket.slot_grants group by pool',
  );
  assert.deepEqual(rows.map(({ pool }) => pool).sort(), ['io', 'ocr']);
  for (const { pool, granted, running } of rows) {
    assert.equal(slots[`{pool="${pool}",kind="granted"}`], granted, pool);
    assert.equal(slots[`{pool="${pool}",kind="running"}`], running, pool);
  }
  assert.deepEqual(ofMetric(series, 'docket_outages'), {
    '{dependency="disk"}': 0,
    '{dependency="engine"}': 0,
    '{dependency="keys"}': 0,
    '{dependency="store"}': 2,
  });
  assert.deepEqual(ofMetric(series, 'docket_admission_closed'), {
    '{target="all"}': 0,
    '{target="kind:unknown"}': 1,
  });
  assert.deepEqual(ofMetric(series, 'docket_alerts_open'), {
    '{severity="warning"}': 0,
    '{severity="breach"}': 2,
    '{severity="rollback"}': 1,
  });
  assert.ok(series.get('docket_watch_age_seconds')! >= 100);
  assert.deepEqual(ofMetric(series, 'docket_seal_size'), { '': 0 });
  assert.ok(series.get('process_resident_memory_bytes')! > 1_000_000);
});

test('a scraper that asks for OpenMetrics gets it, with the same figures', async () => {
  const token = await server.issuer.token(SCRAPER);
  const response = await fetch(`${server.url}/metrics`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    },
  });
  assert.equal(response.status, 200);
  assert.equal(
    response.headers.get('content-type'),
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  );
  const text = await response.text();
  assert.ok(text.endsWith('\n# EOF\n'));
  assert.equal(ofMetric(seriesOf(text), 'docket_workers')[''], 1);
  const plain = await server.get(SCRAPER, '/metrics');
  assert.equal(plain.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  await plain.text();
});

test('only operators and auditors get figures, with a token for all sources', async () => {
  assert.equal((await fetch(`${server.url}/metrics`)).status, 401);
  for (const [bearer, status] of [
    [{ role: 'operator', sources: ['*'] }, 200],
    [{ role: 'auditor', sources: ['*'] }, 200],
    [{ role: 'auditor', sources: ['carrier-a'] }, 403],
    [{ role: 'operator', sources: [] }, 403],
    [{ role: 'analyst', sources: ['*'] }, 403],
    [{ role: 'evidence_owner', sources: ['*'] }, 403],
    [{ role: 'sender', sources: ['*'] }, 403],
  ] as const) {
    const response = await server.get(bearer, '/metrics');
    assert.equal(response.status, status, JSON.stringify(bearer));
    const text = await response.text();
    assert.equal(text.includes('docket_'), status === 200);
  }
  const post = await fetch(`${server.url}/metrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.issuer.token(SCRAPER)}` },
  });
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET']);
});

/** What connections of the server that are for watching do now. */
async function watching(): Promise<string[]> {
  const { rows } = await db.query<{ state: string }>(
    `select state from pg_stat_activity
     where datname = current_database() and application_name = 'docket-watching' and state <> 'idle'`,
  );
  return rows.map(({ state }) => state);
}

test('however many scrape at once, one connection asks; where it gets no answer, all are told so, and nobody hangs', async () => {
  const other = await serve(database);
  const holder = await db.connect();
  try {
    await holder.query('begin; lock table docket.slot_grants in access exclusive mode');
    const answers = Array.from({ length: 20 }, () => other.get(SCRAPER, '/metrics'));
    await eventually('the question waits for the lock', async () => {
      const { rows } = await db.query(
        `select from pg_stat_activity where application_name = 'docket-watching' and wait_event_type = 'Lock'`,
      );
      return rows.length === 1;
    });
    assert.deepEqual(await watching(), ['active']);
    const responses = await Promise.all(answers);
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [503]);
    assert.ok(responses.every(({ headers }) => Number(headers.get('retry-after')) > 0));
    assert.match(await responses[0]!.text(), /TOOK_TOO_LONG/);
    await eventually('nothing is left behind', async () => (await watching()).length === 0);
    assert.equal((await other.get(SCRAPER, '/metrics')).status, 503, 'it is not asked again at once');
    await holder.query('rollback');
    await eventually('the figures are there again', async () => {
      return (await other.get(SCRAPER, '/metrics')).status === 200;
    });
  } finally {
    await holder.query('rollback');
    holder.release();
    await other.stop();
  }
});
