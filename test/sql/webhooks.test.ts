import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin } from '../support/logins.ts';
import { addKeyOfReceipts, issueReceipt } from './issue-receipt.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const db = database.pool();
const operator = await createLogin(database, 'docket_operator');
const worker = database.pool('docket_worker');
await addKeyOfReceipts(db);

type Message = commands.ClaimWebhookMessagesRow;
let source = '';
let count = 0;

/** Each test has a source of its own, and the webhooks of the others are silent. */
beforeEach(async () => {
  await db.query('update docket.webhooks set is_enabled = false');
  source = `carrier-${String((count += 1))}`;
  await db.query('select docket.add_source($1)', [source]);
});

const add = async (url = 'https://receiver.example/docket', sourceId = source) =>
  (await commands.addWebhook(operator.pool, { sourceId, url }))[0]!.webhook_id;

const issue = (job: string, from = source) => issueReceipt(db, from, job);

const claim = (limit = 100) => commands.claimWebhookMessages(worker, { limit });
const claimed = async (limit?: number) => (await claim(limit)).map((message) => message.receipt_id);

async function record(messages: readonly Message[], isAcknowledged: boolean | null, failure: string | null) {
  const rows = await commands.recordWebhookAttempts(worker, {
    messages: messages.map((message) => message.webhook_message_id),
    tries: messages.map((message) => message.tries),
    isAcknowledged: messages.map(() => isAcknowledged),
    failures: messages.map(() => failure),
  });
  return rows.map((row) => row.outcome);
}
const acknowledge = (...messages: Message[]) => record(messages, true, null);
const fail = (...messages: Message[]) => record(messages, false, 'it answered 500');
const handBack = (...messages: Message[]) => record(messages, null, null);

/** So many seconds pass, for messages and webhooks alike. */
async function pass(seconds: number): Promise<void> {
  await db.query(`update docket.webhook_messages set due_at = due_at - $1 * interval '1 second'`, [seconds]);
  await db.query(`update docket.webhooks set resting_until = resting_until - $1 * interval '1 second'`, [
    seconds,
  ]);
}

async function state(webhook: number): Promise<Record<string, unknown>> {
  const { rows } = await operator.pool.query<Record<string, unknown>>(
    `select is_enabled, failures, resting_until > now() as rests, last_failure, waiting::integer, waiting_since
     from docket.webhook_states where webhook_id = $1`,
    [webhook],
  );
  return rows[0]!;
}

test('every webhook of a source gets each receipt that is issued from then on, once, and those of no other source', async () => {
  const job = randomUUID();
  await issue(job);
  const webhooks = [await add('https://a.example/'), await add('https://b.example/')];
  const receipt = await issue(job);
  await db.query('select docket.order_webhooks($1)', [[receipt]]);
  await db.query(`select docket.add_source('somebody-else')`);
  await issue(job, 'somebody-else');
  const messages = await claim();
  assert.deepEqual(
    messages.map(({ webhook_message_id: _, ...message }) => message),
    ['https://a.example/', 'https://b.example/'].map((url, at) => ({
      webhook_id: webhooks[at],
      url,
      tries: 1,
      seconds: 30,
      receipt_id: receipt,
      source_id: source,
      delivery_id: '7',
      outcome: 'BENV',
      code: 'HASH_MISMATCH',
      issued_at: '2026-11-30T07:00:00.000000Z',
      jws: 'a.b.c',
      message_id: receipt,
      alert: null,
    })),
  );
});

test('a later message of a document waits until the earlier one is acknowledged, whatever happens to that; other documents go on', async () => {
  await add();
  const [job, other] = [randomUUID(), randomUUID()];
  const receipts = [await issue(job), await issue(job), await issue(job)];
  const one = await issue(other);
  let [first] = await claim(1);
  assert.equal(first!.receipt_id, receipts[0]);
  assert.deepEqual(await claimed(), [one]);
  await fail(first!);
  assert.deepEqual(await claimed(), []);
  await pass(10);
  [first] = await claim();
  assert.equal(first!.receipt_id, receipts[0]);
  await acknowledge(first!);
  for (const receipt of receipts.slice(1)) {
    const messages = await claim();
    assert.deepEqual(
      messages.map((message) => message.receipt_id),
      [receipt],
    );
    await acknowledge(...messages);
  }
  assert.deepEqual(await claimed(), []);
});

test('receipts of a document that two workers record at a time are numbered one after the other', async () => {
  await add();
  const job = randomUUID();
  const client = await db.connect();
  await client.query('begin');
  const earlier = await issueReceipt(client, source, job);
  const later = issue(job);
  await eventually('the later one waits', async () => {
    const { rows } = await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === 1;
  });
  assert.deepEqual(await claimed(), []);
  await client.query('commit');
  client.release();
  await later;
  assert.deepEqual(await claimed(), [earlier]);
});

test('to one webhook go eight messages at once, however many workers ask and however long the list is', async () => {
  const busy = await add('https://busy.example/');
  for (let at = 0; at < 20; at += 1) await issue(randomUUID());
  const quiet = await add('https://quiet.example/');
  for (let at = 0; at < 2; at += 1) await issue(randomUUID());
  const first = await claim(4);
  assert.deepEqual(first.map((message) => message.webhook_id).sort(), [busy, busy, quiet, quiet]);
  const others = (await Promise.all([claim(), claim(), claim(), claim()])).flat();
  // Who finds a webhook held leaves it to the next round.
  const rest = [...others, ...(await claim())];
  assert.equal(rest.length, 6);
  assert.equal(new Set([...first, ...rest].map((message) => message.webhook_message_id)).size, 10);
  await acknowledge(...first);
  const next = await claim();
  assert.deepEqual(
    next.map((message) => message.webhook_id),
    [busy, busy],
  );
});

/** Between 0.8 and 1.2 times as long: 2 s, doubled by each try, up to 900 s. */
for (const [tries, seconds] of [
  [1, 2],
  [2, 4],
  [5, 32],
  [9, 512],
  [10, 900],
  [1000, 900],
] as const) {
  test(`after ${String(tries)} tries in vain a message waits about ${String(seconds)} seconds`, async () => {
    await add();
    await issue(randomUUID());
    const [message] = await claim();
    await db.query('update docket.webhook_messages set tries = $1 where webhook_message_id = $2', [
      tries,
      message!.webhook_message_id,
    ]);
    await fail({ ...message!, tries });
    const { rows } = await db.query<{ wait: number; last_failure: string }>(
      `select extract(epoch from due_at - clock_timestamp())::double precision as wait, last_failure
       from docket.webhook_messages where webhook_message_id = $1`,
      [message!.webhook_message_id],
    );
    assert.equal(rows[0]!.last_failure, 'it answered 500');
    const { wait } = rows[0]!;
    assert.ok(wait > seconds * 0.8 - 1 && wait < seconds * 1.2, `it waits ${String(wait)} s`);
  });
}

test('a webhook that failed three times on end rests, is then tried with one message, and has all once it answers', async () => {
  const dead = await add('https://dead.example/');
  for (let at = 0; at < 12; at += 1) await issue(randomUUID());
  const alive = await add('https://alive.example/');
  await issue(randomUUID());
  const of = (messages: readonly Message[], webhook: number) =>
    messages.filter((message) => message.webhook_id === webhook);
  const messages = await claim();
  const dying = of(messages, dead);
  assert.equal(dying.length, 8);
  for (const message of dying.slice(0, 2)) await fail(message);
  assert.deepEqual(await state(dead), {
    is_enabled: true,
    failures: 2,
    rests: null,
    last_failure: 'it answered 500',
    waiting: 13,
    waiting_since: '2026-11-30 07:00:00+00',
  });
  await fail(dying[2]!);
  assert.equal((await state(dead))['rests'], true);
  // What else was under way says nothing new.
  await fail(...dying.slice(3));
  assert.equal((await state(dead))['failures'], 3);
  await acknowledge(...of(messages, alive));
  await issue(randomUUID());
  assert.deepEqual(
    (await claim()).map((message) => message.webhook_id),
    [alive],
  );

  await pass(3);
  const [probe, ...none] = of(await claim(), dead);
  assert.deepEqual(none, []);
  assert.deepEqual(of(await claim(), dead), []);
  await fail(probe!);
  const { failures, rests } = await state(dead);
  assert.deepEqual([failures, rests], [4, true]);
  await pass(60);
  const [again] = of(await claim(), dead);
  await acknowledge(again!);
  const mended = await state(dead);
  assert.deepEqual(
    [mended['failures'], mended['rests'], mended['last_failure']],
    [0, null, 'it answered 500'],
  );
  assert.equal(of(await claim(), dead).length, 8);
});

test('what a dead worker was sending is handed out again after half a minute, and a late answer to the dead counts', async () => {
  const webhook = await add();
  const receipt = await issue(randomUUID());
  const [first] = await claim();
  await pass(29);
  assert.deepEqual(await claimed(), []);
  await pass(2);
  const [second] = await claim();
  assert.deepEqual([second!.receipt_id, second!.tries], [receipt, 2]);
  assert.deepEqual(await fail(first!), ['stale']);
  assert.deepEqual(await handBack(first!), ['stale']);
  assert.deepEqual(await claimed(), []);
  assert.deepEqual(await acknowledge(first!), ['acknowledged']);
  assert.deepEqual(await fail(second!), ['stale']);
  const { failures, waiting } = await state(webhook);
  assert.deepEqual([failures, waiting], [0, 0]);
  assert.deepEqual(await record([{ ...first!, webhook_message_id: '999999' }], true, null), ['stale']);
});

test('what a stopping worker hands back is due at once, and counts as no try and no failure', async () => {
  const webhook = await add();
  await issue(randomUUID());
  const [message] = await claim();
  assert.deepEqual(await handBack(message!), ['handed_back']);
  assert.equal((await state(webhook))['failures'], 0);
  assert.equal((await claim())[0]!.tries, 1);
});

test('a disabled webhook is sent nothing; what was issued meanwhile, and what rested, is sent once it is enabled', async () => {
  const webhook = await add();
  const enable = (isEnabled: boolean, webhookId = webhook) =>
    commands.setWebhookEnabled(operator.pool, { webhookId, isEnabled });
  const job = randomUUID();
  const first = await issue(job);
  for (let at = 0; at < 5; at += 1) {
    await fail(...(await claim()));
    await pass(300);
  }
  await fail(...(await claim()));
  assert.equal((await state(webhook))['rests'], true);
  await enable(false);
  await pass(10_000);
  const second = await issue(job);
  assert.deepEqual(await claimed(), []);
  await enable(true);
  const [message] = await claim();
  assert.equal(message!.receipt_id, first);
  await enable(true);
  // What is under way is left alone.
  assert.deepEqual(await claimed(), []);
  await acknowledge(message!);
  assert.deepEqual(await claimed(), [second]);
  await refused('ZD049', enable(true, 2_000_000_000));
});
