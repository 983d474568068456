import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';
import type { Arrival } from './webhook-receiver.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };
const signer = (await openReceiptSigner(config, { mayMake: true }))!;

/** The receiver is down for the first try of each message. */
const receiver = await startWebhookReceiver(({ times }) => (times === 1 ? 'refuse' : 'accept'));
await db.query('select docket.add_alert_webhook($1)', [`${receiver.url}/alerts`]);

/** Closed for hours, which is an alert as long as it stays so. */
await db.query(
  `insert into docket.admission_gates (target, closed_by, reason, closed_at)
   values ('all', 'olga', 'forgotten', clock_timestamp() - interval '5 hours')`,
);

const changes = async () =>
  (
    await db.query<{ change: string; message_id: string; acknowledged: boolean }>(
      `select c.change, c.message_id, m.acknowledged_at is not null as acknowledged
       from docket.alert_changes c
       join docket.alerts a using (alert_id)
       left join docket.webhook_messages m using (alert_change_id)
       where a.subject = 'admission:all' order by c.alert_change_id`,
    )
  ).rows;

const came = (id: string) => receiver.arrivals.filter((arrival) => arrival.id === id);

/** Checks a message by the public key, as Standard Webhooks says, by other means than it was signed. */
async function isSigned({ headers, body }: Arrival): Promise<boolean> {
  const key = createPublicKey({ key: { ...(await signer.current()).publicJwk }, format: 'jwk' });
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const [version, signature = ''] = String(headers['webhook-signature']).split(',');
  return version === 'v1a' && verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'));
}

test('workers that are killed as they watch leave one alert, which is sent until it is acknowledged, opened before closed', async () => {
  for (const when of ['before', 'after'] as const) {
    const victim = spawnWorker({
      config,
      recogniseMs: 0,
      dieAt: { pattern: 'docket\\.watch\\(', call: 1, when },
    });
    assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });
    assert.equal((await changes()).length, when === 'before' ? 0 : 1);
  }

  const worker = await fixture.startWorker(createNullEngine(), { signer });
  const told = (change: string) =>
    eventually(`what was ${change} is acknowledged`, async () => {
      await db.query(
        'update docket.webhook_messages set due_at = now() where due_at > now() and not is_being_sent',
      );
      return (await changes()).find((row) => row.change === change && row.acknowledged);
    });
  const opened = await told('opened');
  await db.query('delete from docket.admission_gates');
  const closed = await told('closed');
  await worker.stop();

  assert.deepEqual(
    (await changes()).map(({ change }) => change),
    ['opened', 'closed'],
  );
  for (const { message_id: id } of [opened, closed]) {
    assert.ok(came(id).length >= 2, 'it is sent again where it was refused');
    for (const arrival of came(id)) assert.ok(await isSigned(arrival));
  }
  const { timestamp, opened_at, ...body } = JSON.parse(came(opened.message_id)[0]!.body) as Record<
    string,
    unknown
  >;
  assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.match(String(opened_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(body, {
    type: 'alert',
    alert: body['alert'],
    change: 'opened',
    severity: 'warning',
    subject: 'admission:all',
    fact: 'Admission has been closed to all for 5 h, by olga: forgotten; the threshold is 2 h.',
    why: 'What is delivered waits, and goes on once it is opened.',
    next_command: `docket admission open all --reason '...'`,
    document: null,
  });
  const { log } = receiver;
  assert.ok(log.indexOf(`took ${opened.message_id}`) < log.indexOf(`came ${closed.message_id}`));
});
