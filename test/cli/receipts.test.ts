import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';
import { eventually } from '../support/eventually.ts';

/** A sender's way: deliver, fetch the receipt, verify it, and again after the keys were rotated. */
let home: CliHome;
let stack: Running;
const scan = CliHome.corpus('12-weighbridge-ticket-phone.jpg');

interface Shown {
  delivery: string;
  receipts: { outcome: string; key_id: string; receipt: string }[];
}

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
});
after(async () => {
  await stack.stop();
  await home.remove();
});

/** The newest receipt of a delivery once it has one by another key than that given, and a file that it lies in. */
async function receiptOf(delivery: string, notBy?: string) {
  const shown = await eventually(
    `a receipt of delivery ${delivery}`,
    async () => {
      const { code, stdout } = await home.docket(['receipt', 'show', delivery, '--json']);
      if (code !== 0) return undefined;
      const { receipts } = JSON.parse(stdout) as Shown;
      return receipts.findLast((one) => one.key_id !== notBy && one.outcome !== 'PEND');
    },
    { withinMs: 60_000, everyMs: 200 },
  );
  const file = join(home.folder, `receipt-${delivery}.jws`);
  await writeFile(file, shown.receipt);
  return { ...shown, file };
}

test('a delivery is told of, and its receipt is verified by the keys that were printed, also after a rotation', async () => {
  assert.equal((await stat(join(home.folder, 'data/receipt-keys.json'))).mode & 0o777, 0o600);
  await home.docket(['submit', scan]);
  const first = await receiptOf('1');
  assert.equal(first.outcome, 'RECE');
  const text = await home.docket(['receipt', 'show', '1']);
  assert.match(text.stdout, new RegExp(`RECE[^]*\n\n${first.receipt}\n$`));

  const { key } = await home.json<{ key: string }>(['receipt', 'rotate']);
  assert.notEqual(key, first.key_id);
  await home.docket(['submit', scan]);
  const second = await receiptOf('2', first.key_id);
  assert.deepEqual([second.outcome, second.key_id], ['DUPE', key]);

  const keys = join(home.folder, 'keys.json');
  const printed = await home.docket(['receipt', 'keys']);
  await writeFile(keys, printed.stdout);
  for (const { file, outcome, key_id: by } of [first, second]) {
    const verified = await home.json<{ key: string; receipt: { outcome: string } }>([
      'receipt',
      'verify',
      file,
      '--key',
      keys,
    ]);
    assert.deepEqual([verified.key, verified.receipt.outcome], [by, outcome]);
  }
  const said = await home.docket(['receipt', 'verify', second.file, '--key', keys]);
  assert.match(
    said.stdout,
    /^The receipt is genuine\.\n[^]* as stated by the sender\n[^]*with delivery 1, received/,
  );
  assert.ok(said.stdout.endsWith('  Bytes received. It has no signature.\n'), said.stdout);
});

test('what is not there, not genuine or wrongly asked for has an exit code of its own', async () => {
  const codeOf = async (...args: string[]) => (await home.docket(['receipt', ...args])).code;
  const keys = join(home.folder, 'keys.json');
  const forged = join(home.folder, 'forged.jws');
  await writeFile(forged, 'e30.e30.e30');
  assert.equal(await codeOf('show', '4711'), 5);
  assert.equal(await codeOf('show', 'one'), 2);
  assert.equal(await codeOf('verify', forged, '--key', keys), 8);
  assert.equal(await codeOf('verify', forged), 2);
  assert.equal(await codeOf('verify', forged, '--key', forged), 6);
  assert.equal(await codeOf('verify', join(home.folder, 'none'), '--key', keys), 5);
});
