import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { startLoop } from '../../src/worker/loop.ts';
import { eventually } from '../support/eventually.ts';

const log = createLog({ level: 'silent' });

test('a loop that finds work goes on at its pace, one that finds none waits longer, and a wake ends the wait', async () => {
  const rounds: number[] = [];
  let busy = true;
  const loop = startLoop({
    name: 'test',
    everyMs: 10,
    idleMs: 60_000,
    log,
    round: async () => {
      rounds.push(performance.now());
      return busy;
    },
  });
  await eventually('ten rounds', () => rounds.length >= 10);
  busy = false;
  let seen = -1;
  await eventually(
    'a wait of more than 200 ms',
    () => {
      const isQuiet = seen === rounds.length;
      seen = rounds.length;
      return isQuiet;
    },
    { everyMs: 200 },
  );
  busy = true;
  loop.wake();
  await eventually('another round', () => rounds.length > seen, { withinMs: 1_000 });
  await loop.stop();
  const ended = rounds.length;
  loop.wake();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(rounds.length, ended);
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
