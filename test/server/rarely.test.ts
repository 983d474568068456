import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rarely } from '../../src/server/rarely.ts';

/** Something to ask that answers when it is told to. */
function stage() {
  const open: PromiseWithResolvers<string>[] = [];
  const clock = { ms: 0 };
  const ask = rarely(
    5_000,
    () => {
      const answer = Promise.withResolvers<string>();
      open.push(answer);
      return answer.promise;
    },
    () => clock.ms,
  );
  return { open, clock, ask };
}

test('all who ask at the same time get one answer, and so does who asks before the time is over', async () => {
  const { open, clock, ask } = stage();
  const answers = [ask(), ask(), ask()];
  assert.equal(open.length, 1);
  open[0]!.resolve('first');
  assert.deepEqual(await Promise.all(answers), ['first', 'first', 'first']);
  clock.ms = 4_999;
  assert.equal(await ask(), 'first');
  assert.equal(open.length, 1);
  clock.ms = 5_000;
  const second = ask();
  assert.equal(open.length, 2);
  open[1]!.resolve('second');
  assert.equal(await second, 'second');
});

test('nothing is asked twice at a time, however long the answer takes', async () => {
  const { open, clock, ask } = stage();
  const first = ask();
  clock.ms = 60_000;
  const later = ask();
  assert.equal(open.length, 1);
  open[0]!.resolve('late');
  assert.deepEqual(await Promise.all([first, later]), ['late', 'late']);
  void ask();
  assert.equal(open.length, 2, 'the time counts from when it was begun');
});

test('a failure is remembered like an answer, and is over with its time', async () => {
  const { open, clock, ask } = stage();
  const failed = ask();
  open[0]!.reject(new Error('away'));
  await assert.rejects(failed, /away/);
  await assert.rejects(ask(), /away/);
  assert.equal(open.length, 1);
  clock.ms = 5_000;
  const next = ask();
  open[1]!.resolve('back');
  assert.equal(await next, 'back');
});
