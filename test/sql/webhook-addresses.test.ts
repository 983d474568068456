import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const operator = await createLogin(database, 'docket_operator');
await database.pool().query(`select docket.add_source('carrier-a')`);

const add = async (url: string, sourceId = 'carrier-a') =>
  (await commands.addWebhook(operator.pool, { sourceId, url }))[0]!.webhook_id;

const SAFE = [
  'https://receiver.example',
  'https://receiver.example:8443/docket?tenant=a%20b&x=[1]',
  'https://[2001:db8::1]/',
  'http://127.0.0.1:8080/docket',
  'http://localhost/docket',
  'http://[::1]?x',
];
const UNSAFE = [
  'http://receiver.example/docket',
  'http://localhost.evil.example/',
  'http://localhost:80@evil.example/',
  'http://127.0.0.1@evil.example/',
  'https://anna:secret@receiver.example/',
  'https://receiver.example/#part',
  'https://receiver.example/a b',
  'https://receiver.example/\nx',
  'https://receiver.example\\@evil.example/',
  'https://',
  'HTTPS://receiver.example/',
  'file:///etc/passwd',
  'receiver.example',
  '',
  `https://receiver.example/${'x'.repeat(2000)}`,
];
for (const url of SAFE) {
  test(`receipts may be sent to ${url}; adding it again is the same webhook`, async () => {
    const webhook = await add(url);
    assert.equal(await add(url), webhook);
  });
}
for (const url of UNSAFE) {
  test(`receipts are not sent to ${JSON.stringify(url.slice(0, 60))}`, async () => {
    const error = await refused('ZD048', add(url));
    assert.match(error.message, /neither an https address nor an http address of this machine/);
  });
}

test('a webhook is of a source that is there', async () => {
  await refused('ZD023', add('https://receiver.example/', 'nobody'));
});
