import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from '../../src/attempts/coalesce.ts';
import { DocketError } from '../../src/errors.ts';

test('calls made at the same time share one call, and each gets its own answer', async () => {
  const calls: number[][] = [];
  const double = coalesce((keys: readonly number[]) => {
    calls.push([...keys]);
    return Promise.resolve(keys.map((key) => key * 2));
  });
  assert.deepEqual(await Promise.all([1, 2, 3, 2].map(double)), [2, 4, 6, 4]);
  assert.equal(await double(5), 10);
  assert.deepEqual(calls, [[1, 2, 3, 2], [5]]);
});

test('when a shared call fails, only the keys that fail alone are rejected', async () => {
  const inverse = coalesce((keys: readonly number[]) =>
    keys.includes(0) ? Promise.reject(new Error('not zero')) : Promise.resolve(keys.map((key) => 1 / key)),
  );
  const answers = await Promise.allSettled([1, 0, 2].map(inverse));
  assert.deepEqual(
    answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value : (answer.reason as Error).message,
    ),
    [1, 'not zero', 0.5],
  );
});

test('when the database is unreachable, nothing is tried one by one', async () => {
  let calls = 0;
  const call = coalesce(() => {
    calls += 1;
    return Promise.reject<number[]>(new DocketError('DATABASE_UNAVAILABLE', 'gone'));
  });
  const answers = await Promise.allSettled([1, 2, 3].map(call));
  assert.ok(answers.every((answer) => answer.status === 'rejected'));
  assert.equal(calls, 1);
});

test('a very large number of calls is sent in parts', async () => {
  const sizes: number[] = [];
  const call = coalesce((keys: readonly number[]) => {
    sizes.push(keys.length);
    return Promise.resolve(keys);
  });
  await Promise.all(Array.from({ length: 600 }, (_, n) => call(n)));
  assert.deepEqual(sizes, [250, 250, 100]);
});
