import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { startLoop } from '../../src/worker/loop.ts';
import { eventually } from '../support/eventually.ts';

const log = createLog({ level: 'silent' });

test('a loop that finds work goes on at its pace, one that finds none waits longer, and a wake ends the wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  let rounds = 0;
  let busy = true;
  const loop = startLoop({
    name: 'test',
    everyMs: 10,
    idleMs: 60_000,
    log,
    round: () => Promise.resolve((rounds += 1) > 0 && busy),
  });
  await pass(1);
  for (let n = 0; n < 9; n += 1) await pass(10);
  assert.equal(rounds, 10);
  busy = false;
  await pass(10);
  assert.equal(rounds, 11);
  // 16 ms, then 25.6
  await pass(15);
  assert.equal(rounds, 11);
  await pass(1);
  assert.equal(rounds, 12);
  await pass(5);
  assert.equal(rounds, 12);
  loop.wake();
  await pass(10);
  assert.equal(rounds, 13);
  await loop.stop();
  loop.wake();
  await pass(60_000);
  assert.equal(rounds, 13);
});

test('a round that fails does not end the loop, and stopping waits for the round under way', async () => {
  let rounds = 0;
  let finished = false;
  const loop = startLoop({
    name: 'test',
    everyMs: 1,
    log,
    async round() {
      rounds += 1;
      if (rounds === 1) throw new Error('once');
      await new Promise((resolve) => setTimeout(resolve, 50));
      finished = true;
      return true;
    },
  });
  await eventually('a second round', () => rounds === 2, { everyMs: 1 });
  await loop.stop();
  assert.equal(finished, true);
});

test('a loop with a rest waits in proportion to its work', async () => {
  const begun: number[] = [];
  const loop = startLoop({
    name: 'test',
    everyMs: 1,
    rest: 3,
    log,
    async round() {
      begun.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 20));
      return true;
    },
  });
  await eventually('a fourth round', () => begun.length === 4, { everyMs: 1 });
  await loop.stop();
  const gaps = begun.slice(1).map((at, i) => at - (begun[i] ?? 0));
  // 20 ms of work and three times as much rest; timers are exact to a millisecond
  assert.ok(
    gaps.every((gap) => gap >= 75),
    String(gaps),
  );
});
