import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { asToken } from './as-token.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Sender } from '../support/logins.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const db = database.pool();
const a = await createSender(database, 'carrier-a');
const b = await createSender(database, 'carrier-b');
await createSender(database, 'carrier-c');

interface Numbered {
  number: string | number | null;
  sha256?: Buffer;
}

/** Delivers scans in one statement; answers the jobs. */
async function deliver(sender: Sender, scans: readonly Numbered[]): Promise<string[]> {
  const { rows } = await sender.pool.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption, scan_number)
     select $1, n.sha256, 'memory:x', 1, 'image/png', '2026-01-01', 'none', n.number
     from unnest($2::bytea[], $3::bigint[]) as n (sha256, number) returning job_id`,
    [sender.sourceId, scans.map((scan) => scan.sha256 ?? randomHash()), scans.map((scan) => scan.number)],
  );
  return rows.map((row) => row.job_id);
}

const numbers = (...list: (number | string)[]): Numbered[] => list.map((number) => ({ number }));

type Gap = [source: string, from: string, to: string, missing: string];

async function gaps(pool: pg.Pool): Promise<Gap[]> {
  const { rows } = await pool.query<Gap>({
    text: `select source_id, from_number::text, to_number::text, missing::text from docket.scan_gaps g order by 1, g.from_number`,
    rowMode: 'array',
  });
  return rows;
}

async function conflicts(pool: pg.Pool): Promise<[string, string, string][]> {
  const { rows } = await pool.query<[string, string, string]>({
    text: `select source_id, scan_number::text, job_id::text from docket.scan_number_conflicts c order by 1, c.scan_number, delivery_id`,
    rowMode: 'array',
  });
  return rows;
}

await deliver(a, numbers(4, 5, 9, 3, 12, 9));
await deliver(a, [{ number: null }, ...numbers(10)]);
await deliver(b, numbers(1, 2, 3));

// 1 and 2, then 6 to 8, then 11: six in all.
const OF_A: Gap[] = [
  ['carrier-a', '1', '2', '2'],
  ['carrier-a', '6', '8', '3'],
  ['carrier-a', '11', '11', '1'],
];

test('every range between 1 and the highest number of a source is listed, in whatever order they came', async () => {
  assert.deepEqual(await gaps(db), OF_A);
});

test('a gap is closed by a later scan, and split by one in its midst', async () => {
  const late = await createSender(database, 'carrier-late');
  await deliver(late, numbers(1, 6));
  assert.deepEqual(await gaps(late.pool), [['carrier-late', '2', '5', '4']]);
  await deliver(late, numbers(4));
  assert.deepEqual(await gaps(late.pool), [
    ['carrier-late', '2', '3', '2'],
    ['carrier-late', '5', '5', '1'],
  ]);
  await deliver(late, numbers(2, 3, 5));
  assert.deepEqual(await gaps(late.pool), []);
});

test('the largest number that there is makes one row and no error', async () => {
  const largest = await createSender(database, 'carrier-largest');
  await deliver(largest, numbers('9007199254740991', '9007199254740991', 1));
  assert.deepEqual(await gaps(largest.pool), [
    ['carrier-largest', '2', '9007199254740990', '9007199254740989'],
  ]);
});

test('a number that two scans claim is listed with both; one that is delivered again is not', async () => {
  const twice = await createSender(database, 'carrier-twice');
  const again = randomHash();
  const [first, , , second] = await deliver(twice, [
    { number: 7 },
    { number: 8, sha256: again },
    { number: 8, sha256: again },
    { number: 7 },
  ]);
  const [third] = await deliver(twice, [{ number: 7 }, { number: 8, sha256: again }]);
  assert.deepEqual(await conflicts(twice.pool), [
    ['carrier-twice', '7', first],
    ['carrier-twice', '7', second],
    ['carrier-twice', '7', third],
  ]);
});

test('senders are told of their own sources, auditors of all, and a token of those that it names', async () => {
  assert.deepEqual(await gaps(a.pool), OF_A);
  assert.deepEqual(await gaps(b.pool), []);
  assert.equal((await conflicts(b.pool)).length, 0);
  const auditor = await createLogin(database, 'docket_auditor');
  assert.deepEqual((await gaps(auditor.pool)).slice(0, 3), OF_A);
  const bySource = async (sources: string[]) => {
    const { rows } = await asToken(
      database,
      { role: 'analyst', sources },
      'select source_id, missing from docket_api.scan_gaps order by source_id, from_number',
    );
    return rows.map((row) => [row['source_id'], row['missing']]);
  };
  const ofA = [
    ['carrier-a', '2'],
    ['carrier-a', '3'],
    ['carrier-a', '1'],
  ];
  assert.deepEqual(await bySource(['carrier-a', 'carrier-a']), ofA);
  assert.deepEqual(await bySource(['carrier-b']), []);
});

test('the numbers of a source are walked in the order of their index, without a sort', async () => {
  await db.query('analyze docket.deliveries');
  const client = await db.connect();
  try {
    await client.query('begin');
    // few rows are read faster in another way
    await client.query('set local enable_seqscan = off; set local enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain select * from docket.scan_gaps');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Only Scan using deliveries__numbered_idx on deliveries/);
    assert.doesNotMatch(plan, /Sort/);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
