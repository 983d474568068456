import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { measureAll, wholeWay, writeDocuments, type Step } from './ages-stage.ts';
import { recordEvents, sealAll } from './log-stage.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

beforeEach(async () => {
  await measureAll(stage.worker);
  await stage.db.query(
    'truncate docket.age_minutes, docket.age_hours, docket.quarantine_minutes, docket.quarantine_hours',
  );
});

/** Some minutes ago, on a whole minute, so that what is published in the seconds after it is counted in one. */
async function minutesAgo(minutes: number): Promise<Date> {
  const { rows } = await stage.db.query<{ ms: number }>(
    'select floor(extract(epoch from clock_timestamp()) / 60)::float8 * 60000 as ms',
  );
  return new Date(rows[0]!.ms - minutes * 60_000);
}

async function buckets(table: 'age_minutes' | 'age_hours'): Promise<Record<string, unknown>[]> {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select measure, lane, source_id, document_kind, bucket, documents::int as documents from docket.${table}
     order by source_id, array_position('{admission,verification,recognition,publication,whole}', measure), bucket`,
  );
  return rows;
}

/** Steps that were counted, and all that there are, which must be the same once everything is sealed. */
async function counted(): Promise<{ counted: unknown; recorded: unknown }> {
  const { rows } = await stage.db.query<{ counted: unknown; recorded: unknown }>(
    `select
       (select json_agg(array[t.from_state, t.event, t.to_state, t.events::text] order by t.from_state, t.event, t.to_state)
        from docket.event_totals t) as counted,
       (select json_agg(array[e.from_state, e.event, e.to_state, e.n::text] order by e.from_state, e.event, e.to_state)
        from (select from_state, event, to_state, count(*) as n from docket_audit.events group by 1, 2, 3) as e) as recorded`,
  );
  return rows[0]!;
}

test('each span of a published document is counted in its bucket, by lane, source and kind', async () => {
  const origin = await minutesAgo(10);
  await writeDocuments(stage.db, origin, [
    {
      lane: 'signature_critical',
      kind: 'delivery_receipt',
      // 0.255 s, 1.023 s, 15 s, 0 s; in all 16.278 s
      steps: wholeWay({
        accepted: 0,
        admitted: 0.255,
        verified: 1.278,
        extracted: 16.278,
        published: 16.278,
      }),
    },
  ]);
  await measureAll(stage.worker);
  const of = (measure: string, bucket: number) => ({
    measure,
    lane: 'signature_critical',
    source_id: 'carrier-a',
    document_kind: 'delivery_receipt',
    bucket,
    documents: 1,
  });
  // by hand: 256 = 2^8, so 64; 1024 = 2^10, so 80; 15,001 = 2^13.8728, so 110; 1 = 2^0; 16,279 = 2^13.9907, so 111
  const expected = [
    of('admission', 64),
    of('verification', 80),
    of('recognition', 110),
    of('publication', 0),
    of('whole', 111),
  ];
  assert.deepEqual(await buckets('age_minutes'), expected);
  assert.deepEqual(await buckets('age_hours'), expected);
  const { rows } = await stage.db.query(
    `select min(m.at) = $1 and max(m.at) = $1 as of_its_minute, min(h.at) = max(h.at) and min(h.at) <= $1 and extract(minute from min(h.at)) = 0 as of_its_hour
     from docket.age_minutes m cross join docket.age_hours h`,
    [origin.toISOString()],
  );
  assert.deepEqual({ ...rows[0] }, { of_its_minute: true, of_its_hour: true });
});

test('of a document that was released the last admission counts, and its whole is since it was accepted', async () => {
  const steps: Step[] = [
    ['none', 'accepted', 'accepted', 0],
    ['accepted', 'admitted', 'accepted', 1],
    ['accepted', 'verified', 'accepted', 2],
    ['accepted', 'started', 'running', 2],
    ['running', 'quarantined', 'quarantined', 5],
    ['quarantined', 'released', 'accepted', 100],
    ['accepted', 'admitted', 'accepted', 110],
    ['accepted', 'verified', 'accepted', 112],
    ['accepted', 'started', 'running', 112],
    ['running', 'ocr_retry', 'accepted', 113],
    ['accepted', 'started', 'running', 116],
    ['running', 'extracted', 'validated', 120],
    ['validated', 'published', 'published', 121],
  ];
  await writeDocuments(stage.db, await minutesAgo(10), [{ steps, code: 'CORRUPT' }]);
  await measureAll(stage.worker);
  const seconds: Record<string, number[]> = Object.fromEntries(
    (await buckets('age_minutes')).map((row) => [
      row['measure'] as string,
      [2 ** (Number(row['bucket']) / 8) - 1, 2 ** ((Number(row['bucket']) + 1) / 8) - 1].map(
        (ms) => ms / 1_000,
      ),
    ]),
  );
  for (const [measure, expected] of Object.entries({
    admission: 1,
    verification: 2,
    recognition: 8,
    publication: 1,
    whole: 121,
  })) {
    const [low, high] = seconds[measure]!;
    assert.ok(
      low! <= expected && expected < high! && high! < expected * 1.1,
      `${measure}: ${low} to ${high}`,
    );
  }
  const { rows } = await stage.db.query<object>(
    `select source_id, code, documents::int as documents from docket.quarantine_minutes
     union all select source_id, code, documents::int from docket.quarantine_hours`,
  );
  const once = { source_id: 'carrier-a', code: 'CORRUPT', documents: 1 };
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [once, once],
  );
});

test('a document that went through the commands is counted once, whatever the size of a round', async () => {
  await stage.published();
  await stage.quarantined();
  await measureAll(stage.worker, 1);
  const sums = (await buckets('age_minutes')).map((row) => [row['measure'], row['documents']]);
  assert.deepEqual(
    sums,
    ['admission', 'verification', 'recognition', 'publication', 'whole'].map((measure) => [measure, 1]),
  );
  const { rows } = await stage.db.query(
    'select code, documents::int as documents from docket.quarantine_hours',
  );
  assert.deepEqual({ ...rows[0] }, { code: 'CORRUPT', documents: 1 });
  const all = await counted();
  assert.deepEqual(all.counted, all.recorded);
});

test('a round that is lost takes back what it counted and how far, and the next counts it once', async () => {
  await stage.published();
  await sealAll(stage.worker);
  const client = await stage.db.connect();
  await client.query('begin');
  const [lost] = await commands.measureAges(client, { limit: 1_000 });
  assert.ok(lost!.events > 0);
  await client.query('rollback');
  client.release();
  assert.deepEqual(await buckets('age_minutes'), []);
  assert.equal(await measureAll(stage.worker), lost!.events);
  assert.equal((await buckets('age_minutes')).length, 5);
  const all = await counted();
  assert.deepEqual(all.counted, all.recorded);
});

test('while one measures, another returns at once, and counts nothing twice', async () => {
  await stage.published();
  await sealAll(stage.worker);
  const client = await stage.db.connect();
  await client.query('begin');
  const [first] = await commands.measureAges(client, { limit: 3 });
  assert.deepEqual(first, { events: 3, is_more: true });
  assert.deepEqual(await commands.measureAges(stage.worker, { limit: 1_000 }), [
    { events: 0, is_more: false },
  ]);
  await client.query('commit');
  client.release();
  const rounds = await Promise.all(
    Array.from({ length: 8 }, () => commands.measureAges(stage.worker, { limit: 1_000 })),
  );
  await measureAll(stage.worker);
  const all = await counted();
  assert.deepEqual(all.counted, all.recorded);
  assert.ok(rounds.length === 8);
});

test('transactions that commit out of order are counted once each, and none before it is sealed', async () => {
  const early = await stage.db.connect();
  await early.query('begin');
  await recordEvents(early, 5);
  await stage.published();
  await recordEvents(stage.db, 7);
  await commands.sealEvents(stage.worker, { limit: 1_000 });
  assert.deepEqual(await commands.measureAges(stage.worker, { limit: 1_000 }), [
    { events: 0, is_more: false },
  ]);
  await early.query('commit');
  early.release();
  const { rows } = await stage.db.query<{ left: number }>(
    `select (select count(*) from docket_audit.events)::int - (select sum(events) from docket.event_totals)::int as left`,
  );
  assert.equal(await measureAll(stage.worker, 4), rows[0]!.left);
  const all = await counted();
  assert.deepEqual(all.counted, all.recorded);
});

test('minutes go after three hours and hours after 400 days', async () => {
  const row = `'whole', 'standard', 'carrier-a', 'unknown', 8, 1`;
  await stage.db.query(
    `insert into docket.age_minutes select clock_timestamp() - a, ${row} from unnest(array[interval '181 min', '179 min']) a;
     insert into docket.age_hours select clock_timestamp() - a, ${row} from unnest(array[interval '401 days', '399 days']) a;
     insert into docket.quarantine_minutes select clock_timestamp() - a, 'a', 'CORRUPT', 1 from unnest(array[interval '181 min', '179 min']) a;
     insert into docket.quarantine_hours select clock_timestamp() - a, 'a', 'CORRUPT', 1 from unnest(array[interval '401 days', '399 days']) a`,
  );
  await commands.measureAges(stage.worker, { limit: 10 });
  const { rows } = await stage.db.query<{ left: string }>(
    `select string_agg(n || ' ' || (clock_timestamp() - at > span)::text, ', ' order by n) as left
     from (
       select 'age_minutes' as n, at, interval '3 hours' as span from docket.age_minutes
       union all select 'age_hours', at, '400 days' from docket.age_hours
       union all select 'quarantine_minutes', at, '3 hours' from docket.quarantine_minutes
       union all select 'quarantine_hours', at, '400 days' from docket.quarantine_hours
     ) as t`,
  );
  assert.equal(
    rows[0]!.left,
    'age_hours false, age_minutes false, quarantine_hours false, quarantine_minutes false',
  );
});

test('after a restore nothing is counted until the recovery is declared, and then each event of the new epoch once', async () => {
  await stage.published();
  await measureAll(stage.worker);
  const before = await counted();
  // the sign of a cluster that the log did not begin in
  const client = await stage.db.connect();
  await client.query('begin; set local session_replication_role = replica');
  await client.query('alter table docket_audit.epochs disable trigger user');
  await client.query('update docket_audit.epochs set system_identifier = system_identifier + 1');
  await client.query('alter table docket_audit.epochs enable always trigger _200_append_only');
  await client.query('commit');
  client.release();
  await stage.published();
  assert.deepEqual(await commands.measureAges(stage.worker, { limit: 1_000 }), [
    { events: 0, is_more: false },
  ]);
  assert.deepEqual((await counted()).counted, before.counted);
  await stage.db.query(`select docket.declare_recovery('Restored from a backup.', null)`);
  await measureAll(stage.worker, 3);
  const all = await counted();
  assert.deepEqual(all.counted, all.recorded);
  const { rows } = await stage.db.query('select epoch from docket.age_progress');
  assert.deepEqual({ ...rows[0] }, { epoch: 2 });
});
