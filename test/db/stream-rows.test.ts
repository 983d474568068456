import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamRows } from '../../src/db/stream-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const database = await createTestDatabase();
const pool = database.pool();
const unaborted = new AbortController().signal;

type Rows = AsyncIterableIterator<Record<string, unknown>>;

async function all(rows: Rows): Promise<Record<string, unknown>[]> {
  const found = [];
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) found.push(next.value);
  return found;
}

/** What the server says of statements that have this mark in them. */
async function running(mark: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>(
    'select state from pg_stat_activity where query like $1 and pid <> pg_backend_pid()',
    [`%${mark}%`],
  );
  return rows.map((row) => row.state);
}

test('all rows come, in order, with the settings of the question, which end with it', async () => {
  let rows: Record<string, unknown>[] = [];
  await streamRows(
    pool,
    {
      text: `select n, current_user as who, current_setting('docket.mark') as mark, current_setting('transaction_read_only') as ro
             from generate_series($1::integer, 1201) as n`,
      values: [1],
      settings: { role: 'docket_analyst', 'docket.mark': 'it’s' },
      signal: unaborted,
    },
    async (stream) => {
      rows = await all(stream);
    },
  );
  assert.equal(rows.length, 1201);
  assert.deepEqual(rows.at(-1), { n: 1201, who: 'docket_analyst', mark: 'it’s', ro: 'on' });
  const { rows: after } = await pool.query(
    `select current_user as who, coalesce(current_setting('docket.mark', true), '') as mark`,
  );
  assert.deepEqual(after, [{ who: 'postgres', mark: '' }]);
});

test('no more is fetched than is taken, and a reader that pauses is waited for as long as was said', async () => {
  const text = 'select n from generate_series(1, 1000000) as n /* paused */';
  const settings = { idle_in_transaction_session_timeout: '200ms' };
  const asked = streamRows(pool, { text, values: [], settings, signal: unaborted }, async (rows) => {
    await rows.next();
    assert.deepEqual(await running('fetch 500 from stream'), ['idle in transaction']);
    await eventually(
      'the server no longer waits',
      async () => (await running('fetch 500 from stream')).length === 0,
    );
    await all(rows);
  });
  await assert.rejects(asked, /idle-in-transaction timeout|not queryable|terminated/);
});

test('a question that is given up ends on the server too, and the pool goes on', async () => {
  const giveUp = new AbortController();
  const asked = streamRows(
    pool,
    { text: 'select pg_sleep(600) /* given up */', values: [], settings: {}, signal: giveUp.signal },
    async (rows) => {
      await rows.next();
    },
  );
  const ended = assert.rejects(asked, { message: 'enough' });
  await eventually('it runs', async () => (await running('fetch 500 from stream')).includes('active'));
  giveUp.abort(new Error('enough'));
  await ended;
  await eventually('it has ended', async () => (await running('fetch 500 from stream')).length === 0);
  await pool.query('select 1');
});

test('an error of the database and one of the reader reach the caller', async () => {
  const ask = (text: string, use: (rows: Rows) => Promise<void>) =>
    streamRows(pool, { text, values: [], settings: {}, signal: unaborted }, use);
  await assert.rejects(
    ask('select 1 / 0', async (rows) => {
      await all(rows);
    }),
    { code: '22012' },
  );
  await assert.rejects(
    ask('select nowhere', async (rows) => {
      await rows.next();
    }),
    { code: '42703' },
  );
  await assert.rejects(
    ask('select n from generate_series(1, 5000) as n', async (rows) => {
      await rows.next();
      throw new Error('the reader fell');
    }),
    { message: 'the reader fell' },
  );
  assert.equal(pool.idleCount, pool.totalCount, 'no connection is left out');
});
