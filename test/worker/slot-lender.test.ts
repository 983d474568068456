import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlotLender } from '../../src/worker/slot-lender.ts';

function stage() {
  const idle: string[] = [];
  const lender = createSlotLender(() => {
    const name = idle.pop();
    return name === undefined ? undefined : { giveBack: () => idle.push(name) };
  });
  return { idle, lender };
}

test('an idle slot is lent at once, and where none is idle and few come free nobody waits for one', async () => {
  const { idle, lender } = stage();
  idle.push('a');
  const slot = await lender.lend();
  assert.ok(slot);
  for (let freed = 0; freed < 49; freed++) lender.noteFreed();
  assert.equal(await lender.lend(), undefined);
  slot.giveBack();
  assert.deepEqual(idle, ['a']);
});

test('where many come free they are waited for, in turn, by no more than came free', async () => {
  const { idle, lender } = stage();
  for (let freed = 0; freed < 50; freed++) lender.noteFreed();
  const order: number[] = [];
  const asked = Array.from({ length: 51 }, async (_, n) => {
    const slot = await lender.lend();
    order.push(slot === undefined ? -1 : n);
  });
  await asked[50];
  assert.deepEqual(order, [-1], 'the last is sent away, and nobody else');
  idle.push('a', 'b');
  lender.serve();
  await Promise.all([asked[0], asked[1]]);
  assert.deepEqual(order, [-1, 0, 1]);
  lender.dismiss();
  await Promise.all(asked);
  assert.equal(order.filter((n) => n === -1).length, 49);
});
