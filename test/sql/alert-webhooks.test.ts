import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { addKeyOfReceipts, issueReceipt } from './issue-receipt.ts';
import { refused } from './refused.ts';
import { WatchStage } from './watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const { stage } = watch;
const olga = await createLogin(database, 'docket_operator');
const claim = () => commands.claimWebhookMessages(stage.worker, { limit: 100 });
const add = async (url: string) => (await commands.addAlertWebhook(olga.pool, { url }))[0]!.webhook_id;

let webhook = 0;
let other = 0;

const record = async (messages: readonly commands.ClaimWebhookMessagesRow[], isAcknowledged: boolean) =>
  commands.recordWebhookAttempts(stage.worker, {
    messages: messages.map((message) => message.webhook_message_id),
    tries: messages.map((message) => message.tries),
    isAcknowledged: messages.map(() => isAcknowledged),
    failures: messages.map(() => (isAcknowledged ? null : 'it answered 500')),
  });

test('what becomes of an alert is sent to each webhook of alerts in order, one after the other is acknowledged, and to no source', async () => {
  await addKeyOfReceipts(stage.db);
  await commands.addWebhook(olga.pool, { sourceId: 'carrier-a', url: 'https://carrier.example/' });
  webhook = await add('https://pager.example/');
  assert.equal(await add('https://pager.example/'), webhook, 'twice is once');
  other = await add('https://log.example/');
  const job = await stage.deliver();
  await watch.older(310);
  await watch.round();
  await watch.older(600);
  await watch.round();

  const first = await claim();
  assert.deepEqual(
    first.map(({ webhook_id, source_id, receipt_id, jws }) => ({ webhook_id, source_id, receipt_id, jws })),
    [webhook, other].map((webhook_id) => ({ webhook_id, source_id: null, receipt_id: null, jws: null })),
  );
  const { rows } = await olga.pool.query<{ message_id: string; fact: string; opened_at: string }>(
    `select c.message_id, c.fact, to_char(a.opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as opened_at
     from docket.alert_changes c join docket.alerts a using (alert_id) order by c.alert_change_id`,
  );
  assert.deepEqual(first[0]!.alert, {
    alert: 1,
    change: 'opened',
    severity: 'warning',
    subject: 'slo:undeferred_standard',
    fact: rows[0]!.fact,
    why: 'It waits for its turn in the lane standard; 0 documents of its source and 0 of others go first.',
    next_command: `docket why ${job}`,
    document: job,
    opened_at: rows[0]!.opened_at,
  });
  assert.deepEqual(
    first.map(({ message_id }) => message_id),
    [rows[0]!.message_id, rows[0]!.message_id],
  );
  assert.deepEqual(await claim(), [], 'the second change waits for the first');
  await record([first[0]!], true);
  await record([first[1]!], false);
  const second = await claim();
  assert.deepEqual(
    second.map(({ webhook_id, message_id }) => [webhook_id, message_id]),
    [[webhook, rows[1]!.message_id]],
  );
  const { rows: states } = await olga.pool.query(
    `select webhook_id, waiting::integer, last_failure, waiting_since is not null as since
     from docket.webhook_states where source_id is null order by webhook_id`,
  );
  assert.deepEqual(states, [
    { webhook_id: webhook, waiting: 1, last_failure: null, since: true },
    { webhook_id: other, waiting: 2, last_failure: 'it answered 500', since: true },
  ]);
  await record(second, true);
});

test('receipts go on to their own webhooks while alerts are sent to theirs, and a disabled one is sent nothing', async () => {
  await commands.setWebhookEnabled(olga.pool, { webhookId: webhook, isEnabled: false });
  await commands.setWebhookEnabled(olga.pool, { webhookId: other, isEnabled: false });
  const receipt = await issueReceipt(stage.db, 'carrier-a', randomUUID());
  assert.deepEqual(
    (await claim()).map(({ receipt_id, alert }) => [receipt_id, alert]),
    [[receipt, null]],
  );
  await commands.setWebhookEnabled(olga.pool, { webhookId: other, isEnabled: true });
  assert.deepEqual(
    (await claim()).map(({ webhook_id }) => webhook_id),
    [other],
  );
});

test('an address that alerts may not be sent to is refused, and so is who is no operator', async () => {
  await refused('ZD048', add('http://pager.example/'));
  const auditor = await createLogin(database, 'docket_auditor');
  await refused('42501', commands.addAlertWebhook(auditor.pool, { url: 'https://pager.example/' }));
});
