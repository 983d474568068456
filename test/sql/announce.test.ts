import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

/** Whoever listens: a login that may do nothing else with this schema. */
const analyst = await createLogin(database, 'docket_analyst');
const listener = new pg.Client({ connectionString: database.url(analyst.name) });
await listener.connect();
database.beforeDrop(() => listener.end());
const heard: pg.Notification[] = [];
listener.on('notification', (notification) => heard.push(notification));
await listener.query('listen docket_changes');

const announce = async (db: commands.Queryable = stage.worker) => (await commands.announce(db))[0]!.announced;

/** What was heard since the last time; whatever was sent before this answer has arrived. */
async function news(): Promise<[channel: string, payload: string | undefined][]> {
  await listener.query('select 1');
  return heard.splice(0).map(({ channel, payload }) => [channel, payload]);
}

/** Lets the last change and the last announcement be as long ago as this. */
const age = (interval: string) =>
  stage.db.query(
    `update docket.announcements set changed_at = clock_timestamp() - $1::interval, announced_at = clock_timestamp() - $1::interval`,
    [interval],
  );

test('any number of events are told by one notification without content, and none when nothing happened', async () => {
  assert.equal(await announce(), true);
  await age('4 seconds');
  await news();
  for (let n = 0; n < 5; n += 1) await stage.published();
  assert.deepEqual(await news(), []);
  assert.equal(await announce(), true);
  assert.deepEqual(await news(), [['docket_changes', '']]);
  await age('4 seconds');
  assert.equal(await announce(), false);
  assert.deepEqual(await news(), []);
});

test('what was numbered but is committed later is told, for three seconds', async () => {
  await age('4 seconds');
  const client = await stage.sender.pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
       values ('carrier-a', sha256('late'), 'memory:x', 1, 'image/png', now())`,
    );
    assert.equal(await announce(), true);
    await client.query('commit');
  } finally {
    client.release();
  }
  await news();
  await age('2900 milliseconds');
  assert.equal(await announce(), true);
  assert.equal((await news()).length, 1);
  await age('3001 milliseconds');
  assert.equal(await announce(), false);
});

test('while there is nothing to tell nothing is written or locked, and whoever finds another at it returns at once', async () => {
  const client = await stage.worker.connect();
  try {
    await client.query('begin');
    assert.equal(await announce(client), false);
    const idle = await client.query('select pg_current_xact_id_if_assigned() as id');
    assert.deepEqual(idle.rows, [{ id: null }]);
    await stage.published();
    assert.equal(await announce(client), true);
    assert.equal(await announce(), false);
    assert.deepEqual(await news(), []);
    await client.query('commit');
  } finally {
    client.release();
  }
  assert.equal((await news()).length, 1);
});

test('however many processes announce, listeners are told at most five times a second', async () => {
  await age('4 seconds');
  await stage.published();
  assert.equal(await announce(), true);
  await stage.published();
  // However slow this test is, the last announcement is too young.
  await age('-1 minute');
  assert.equal(await announce(), false);
  await age('201 milliseconds');
  assert.equal(await announce(), true);
  assert.equal((await news()).length, 2);
});
