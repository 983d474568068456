import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startWebhookReceiver } from '../worker/webhook-receiver.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

let home: CliHome;
let stack: Running;

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
});
after(async () => {
  await stack.stop();
  await home.remove();
});

let isDown = true;
const receiver = await startWebhookReceiver(() => (isDown ? 'refuse' : 'accept'));
const url = `${receiver.url}/docket`;

interface Listed {
  waiting: number;
  failures: number;
  last_failure: string | null;
}
const list = async () => (await home.json<{ webhooks: Listed[] }>(['webhook', 'list'])).webhooks;
const untilListed = (what: string, is: (webhook: Listed) => boolean) =>
  eventually(what, async () => (await list()).find(is), { withinMs: 60_000, everyMs: 500 });

test('an operator adds a webhook, sees what waits and why, and has it sent once the receiver was mended', async () => {
  await home.json(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg')]);
  const empty = await home.docket(['webhook', 'list']);
  assert.match(empty.stdout, /There are no webhooks\. Add one: docket webhook add SOURCE URL/);
  assert.deepEqual(await home.json(['webhook', 'add', 'local', url]), { webhook: 1, source: 'local', url });

  await home.json(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg')]);
  const down = await untilListed('the receiver failed', (webhook) => webhook.failures > 0);
  assert.deepEqual([down.waiting > 0, down.last_failure], [true, 'it answered 503']);
  assert.deepEqual(await home.json(['webhook', 'disable', '1']), { webhook: 1, enabled: false });
  isDown = false;
  assert.deepEqual(await home.json(['webhook', 'enable', '1']), { webhook: 1, enabled: true });
  await untilListed(
    'everything is acknowledged',
    (webhook) => webhook.waiting === 0 && webhook.failures === 0,
  );
  const table = await home.docket(['webhook', 'list']);
  assert.match(table.stdout, new RegExp(`1 +local +${url} +yes +0 +0 +it answered 503`));
});

for (const [args, code, words] of [
  [['webhook', 'add', 'nobody', 'https://receiver.example/'], 5, /there is no source "nobody"/],
  [['webhook', 'add', 'local', 'http://receiver.example/'], 6, /neither an https address/],
  [['webhook', 'add', 'local', 'receiver'], 2, /expected an address/],
  [['webhook', 'enable', 'one'], 2, /expected the number of a webhook/],
  [['webhook', 'disable', '99'], 6, /there is no webhook 99/],
] as const) {
  test(`docket ${args.join(' ')} ends with ${String(code)} and says why`, async () => {
    const ended = await home.docket(args);
    assert.equal(ended.code, code);
    assert.match(ended.stderr, words);
  });
}
