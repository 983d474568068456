import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { seeded } from '../support/seeded.ts';
import { measureAll, wholeWay, writeDocuments } from './ages-stage.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db, worker } = stage;

/** Documents of two sources that were published in the last minutes, and others that were published hours ago. */
before(async () => {
  const { rows } = await db.query<{ now: string }>('select clock_timestamp() as now');
  const now = new Date(rows[0]!.now).getTime();
  const next = seeded(7);
  const documents = (count: number, source: string, lane: string | null) =>
    Array.from({ length: count }, () => {
      // spans from a millisecond to a quarter of an hour, evenly by their logarithm; all end within a few seconds
      const [a, b, c, d] = [0, 0, 0, 0].map(() => Math.exp(next() * Math.log(900_000)) / 1_000) as [
        number,
        number,
        number,
        number,
      ];
      const published = next() * 5;
      return {
        source,
        lane,
        steps: wholeWay({
          accepted: published - a - b - c - d,
          admitted: published - b - c - d,
          verified: published - c - d,
          extracted: published - d,
          published,
        }),
      };
    });
  await writeDocuments(db, new Date(now - 60_000), [
    ...documents(211, 'carrier-a', null),
    ...documents(97, 'carrier-b', 'signature_critical'),
  ]);
  await writeDocuments(db, new Date(now - 5 * 3_600_000), documents(150, 'carrier-a', null));
  await measureAll(worker);
});

/** The same of the raw spans, by percentile_disc. */
async function raw(group: string, since: string): Promise<commands.AgePercentilesRow[]> {
  const { rows } = await db.query<commands.AgePercentilesRow>(
    `select s.measure, s.group_name, count(*) as documents, percentile_disc(0.5) within group (order by s.ms) as p50_ms,
       percentile_disc(0.95) within group (order by s.ms) as p95_ms, percentile_disc(0.99) within group (order by s.ms) as p99_ms
     from (
       select m.measure, ${group} as group_name, extract(epoch from m.upto - m.since)::float8 * 1000 as ms
       from docket.jobs j
       join lateral (
         select min(at) filter (where event = 'accepted') as accepted, min(at) filter (where event = 'admitted') as admitted,
           min(at) filter (where event = 'verified') as verified, min(at) filter (where event = 'extracted') as extracted,
           min(at) filter (where event = 'published') as published
         from docket_audit.events e where e.job_id = j.job_id
       ) as e on e.published > clock_timestamp() - $1::interval
       cross join lateral (values
         ('admission', e.accepted, e.admitted), ('verification', e.admitted, e.verified), ('recognition', e.verified, e.extracted),
         ('publication', e.extracted, e.published), ('whole', e.accepted, e.published)
       ) as m (measure, since, upto)
     ) as s
     group by s.measure, s.group_name
     order by s.measure, s.group_name`,
    [since],
  );
  return rows;
}

/** Each is what it is of the raw spans, or up to nine per cent more; a millisecond more counts as nothing. */
function assertJustAbove(told: commands.AgePercentilesRow[], exact: commands.AgePercentilesRow[]): void {
  assert.deepEqual(
    told.map((row) => [row.measure, row.group_name, row.documents]),
    exact.map((row) => [row.measure, row.group_name, row.documents]),
  );
  for (const [index, row] of told.entries()) {
    for (const key of ['p50_ms', 'p95_ms', 'p99_ms'] as const) {
      const [is, was] = [row[key], exact[index]![key]];
      assert.ok(
        is >= was - 1e-6 && is <= (was + 1) * 2 ** (1 / 8),
        `${row.measure} ${row.group_name} ${key}: ${is} of ${was}`,
      );
    }
  }
}

for (const [by, group] of Object.entries({
  all: `''`,
  source: 'j.source_id',
  lane: `coalesce(j.lane, 'standard')`,
  kind: 'j.document_kind',
})) {
  test(`percentiles by ${by} are those of the raw spans, or up to nine per cent more`, async () => {
    const told = await commands.agePercentiles(worker, { window: '30 minutes', by });
    assert.equal(told.length, by === 'source' || by === 'lane' ? 10 : 5);
    assertJustAbove(told, await raw(group, '30 minutes'));
  });
}

test('a longer window is made of hours, and has what was published then too', async () => {
  const told = await commands.agePercentiles(worker, { window: '8 hours' });
  assert.deepEqual(new Set(told.map((row) => row.documents)), new Set([String(211 + 97 + 150)]));
  assertJustAbove(told, await raw(`''`, '8 hours'));
});

test('without a window it is five minutes, and without documents there are no rows', async () => {
  const [row] = await commands.agePercentiles(worker, {});
  assert.ok(row === undefined || row.documents === String(211 + 97));
  await db.query('truncate docket.age_minutes');
  assert.deepEqual(await commands.agePercentiles(worker, {}), []);
});

test('quarantined documents are told by code and source, within the window', async () => {
  const { rows } = await db.query<{ now: string }>('select clock_timestamp() as now');
  const now = new Date(rows[0]!.now).getTime();
  const stopped = (source: string, code: string, count: number) =>
    Array.from({ length: count }, () => ({
      source,
      code,
      steps: [
        ['none', 'accepted', 'accepted', 0],
        ['accepted', 'admitted', 'accepted', 0],
        ['accepted', 'quarantined', 'quarantined', 1],
      ] as const,
    }));
  await writeDocuments(db, new Date(now - 60_000), [
    ...stopped('carrier-a', 'HASH_MISMATCH', 2),
    ...stopped('carrier-b', 'HASH_MISMATCH', 3),
  ]);
  await writeDocuments(db, new Date(now - 10 * 3_600_000), stopped('carrier-a', 'CORRUPT', 4));
  await measureAll(worker);
  const growth = async (window?: string) =>
    (await commands.quarantineGrowth(worker, window === undefined ? {} : { window })).map(
      (row) => `${row.code} ${row.source_id} ${row.documents}`,
    );
  const recent = ['HASH_MISMATCH carrier-b 3', 'HASH_MISMATCH carrier-a 2'];
  assert.deepEqual(await growth('30 minutes'), recent);
  assert.deepEqual(await growth('6 hours'), recent);
  assert.deepEqual(await growth(), ['CORRUPT carrier-a 4', ...recent]);
  for (const window of ['0', '-1 hour', '401 days'])
    await assert.rejects(growth(window), { code: 'ZD074' }, window);
});
