import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender, type Login } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
await createSender(database, 'carrier-b');
const operator = await createLogin(database, 'docket_operator');

const addReader = (sourceId: string, login: string) =>
  commands.addSourceReader(operator.pool, { sourceId, login });

/** The documents that a login sees through the view of analysts. */
async function documents(login: Login): Promise<string[]> {
  const { rows } = await login.pool.query<{ document_id: string }>(
    'select document_id from docket_api.documents order by 1',
  );
  return rows.map((row) => row.document_id);
}

const deliver = (login: Login, sourceId: string) =>
  login.pool.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     values ($1, sha256('scan'), 'memory:x', 1, 'image/png', now())`,
    [sourceId],
  );

test('a reader sees the documents of its source and no others, and can deliver nothing', async () => {
  const job = await stage.published();
  const [reader, stranger] = [
    await createLogin(database, 'docket_analyst'),
    await createLogin(database, 'docket_analyst'),
  ];
  await addReader('carrier-a', reader.name);
  await addReader('carrier-b', stranger.name);
  assert.deepEqual(await documents(reader), [job]);
  assert.deepEqual(await documents(stranger), []);
  await refused('42501', deliver(reader, 'carrier-a'));
});

test('a reader that is let into the group of senders still delivers for no source that it only reads', async () => {
  const reader = await createLogin(database, 'docket_analyst');
  await addReader('carrier-a', reader.name);
  await database.pool().query(`grant docket_app to ${reader.name}`);
  await commands.addSource(operator.pool, { sourceId: 'carrier-b', login: reader.name });
  await refused('ZD010', deliver(reader, 'carrier-a'));
  await deliver(reader, 'carrier-b');

  await addReader('carrier-b', reader.name);
  await deliver(reader, 'carrier-b');
  await commands.addSource(operator.pool, { sourceId: 'carrier-a', login: reader.name });
  await deliver(reader, 'carrier-a');
});

test('a reader that is taken away sees nothing any more', async () => {
  const reader = await createLogin(database, 'docket_analyst');
  await addReader('carrier-a', reader.name);
  assert.equal((await documents(reader)).length, 1);
  await commands.removeSourceLogin(operator.pool, { sourceId: 'carrier-a', login: reader.name });
  assert.deepEqual(await documents(reader), []);
});

test('only logins of analysts become readers, and only of sources that exist', async () => {
  const sender = await createLogin(database, 'docket_app');
  const reader = await createLogin(database, 'docket_analyst');
  await refused('ZD023', addReader('carrier-z', reader.name));
  const asSender = await refused('ZD024', addReader('carrier-a', sender.name));
  assert.match(asSender.hint ?? '', /grant docket_analyst to/);
  const nobody = await refused('ZD024', addReader('carrier-a', 'nobody_at_all'));
  assert.match(nobody.hint ?? '', /create role nobody_at_all login in role docket_analyst/);
  await refused('ZD024', addReader('carrier-a', 'docket_analyst'));
  await refused('ZD024', addReader('carrier-a', 'postgres'));
});
