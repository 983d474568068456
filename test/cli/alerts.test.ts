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

const receiver = await startWebhookReceiver(() => 'accept');
const url = `${receiver.url}/alerts`;

interface Alert {
  alert: number;
  subject: string;
  severity: string;
  next_command: string;
  closed_at: string | null;
}
const list = async (...options: string[]) =>
  await home.json<{ alerts: Alert[]; unwatched_since: string | null }>(['alert', 'list', ...options]);
const until = (what: string, is: (alert: Alert) => boolean) =>
  eventually(what, async () => (await list('--all')).alerts.find(is), { withinMs: 180_000, everyMs: 500 });

test('an operator promises more than is kept: the alert is sent, says what to do, and closes once that is done', async () => {
  assert.equal((await home.docket(['alert', 'list'])).stdout.trim(), 'Nothing is wrong.');
  assert.match((await home.docket(['alert', 'webhook', 'list'])).stdout, /Alerts are sent nowhere/);
  assert.deepEqual(await home.json(['alert', 'webhook', 'add', url]), { webhook: 1, url });
  const reason = ['--reason', 'a test'];
  const paused = await home.json<{ change: number }>(['pool', 'set', 'ocr', '--per-process', '0', ...reason]);
  await home.json(['pool', 'set', 'ocr_reserved', '--per-process', '0', ...reason]);
  const set = await home.docket(['slo', 'set', 'admitted', '--warning', '1s', '--breach', '2s', ...reason]);
  assert.match(
    set.stdout,
    /^Objective admitted: warning 1 s, breach 2 s, rollback none\. Before: warning 10 min, breach 30 min, rollback none\.\nUndo it: docket undo \d+/,
  );
  await home.json(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg')]);

  const broken = await until(
    'the objective is broken',
    ({ subject, severity }) => subject === 'slo:admitted' && severity === 'breach',
  );
  assert.match(broken.next_command, /^docket why [0-9a-f-]{36}$/);
  const told = await home.docket(['alert', 'list']);
  assert.match(
    told.stdout,
    /^1 {2}BREACH since .*Z\n {3}A task has been due for .*the threshold is 2 s\.\n {3}Why: /,
  );
  assert.match(told.stdout, /\n {3}Next: docket why /);
  const objectives = await home.docket(['slo', 'list']);
  assert.match(objectives.stdout, /\nadmitted +\d+.*s +1 s +2 s +none +.*a test/);
  assert.match(objectives.stdout, /\nquarantined_share +10 % +25 % +50 %/);

  await home.json(['undo', String(paused.change), ...reason]);
  const over = await until(
    'it is over',
    ({ alert, closed_at: closed }) => alert === broken.alert && closed !== null,
  );
  assert.equal(over.severity, 'breach');
  const shown = await home.json<{ changes: { change: string }[] }>(['alert', 'show', String(broken.alert)]);
  assert.deepEqual([shown.changes[0]!.change, shown.changes.at(-1)!.change], ['opened', 'closed']);
  await eventually('all of it was sent, in order', () => {
    const sent = receiver.arrivals
      .map(({ body }) => JSON.parse(body) as { alert: number; change: string })
      .filter(({ alert }) => alert === broken.alert)
      .map(({ change }) => change);
    return (
      sent.length === shown.changes.length && sent.join() === shown.changes.map(({ change }) => change).join()
    );
  });
  const { webhooks } = await home.json<{ webhooks: Record<string, unknown>[] }>(['alert', 'webhook', 'list']);
  assert.deepEqual([webhooks[0]!['url'], webhooks[0]!['failures']], [url, 0]);
  assert.deepEqual(await home.json(['alert', 'webhook', 'disable', '1']), { webhook: 1, enabled: false });
  assert.deepEqual(await home.json(['alert', 'webhook', 'enable', '1']), { webhook: 1, enabled: true });
});

for (const [args, code, words] of [
  [['slo', 'set', 'unsealed', '--reason', 'x'], 2, /no threshold of unsealed is stated/],
  [
    ['slo', 'set', 'unsealed', '--breach', 'soon', '--reason', 'x'],
    2,
    /--breach: expected a span such as 90s/,
  ],
  [['slo', 'set', 'nosuch', '--breach', '1m', '--reason', 'x'], 5, /there is no objective "nosuch"/],
  [['slo', 'set', 'unsealed', '--breach', '1s', '--reason', 'x'], 6, /none is below one that is less severe/],
  [['alert', 'show', '999'], 5, /there is no alert 999/],
  [['alert', 'show', 'one'], 2, /expected the number of an alert/],
  [['alert', 'webhook', 'add', 'http://receiver.example/'], 6, /neither an https address/],
  [['alert', 'webhook', 'add', 'receiver'], 2, /expected an address/],
] as const) {
  test(`docket ${args.join(' ')} ends with ${String(code)} and says why`, async () => {
    const ended = await home.docket(args);
    assert.equal(ended.code, code);
    assert.match(ended.stderr, words);
  });
}
