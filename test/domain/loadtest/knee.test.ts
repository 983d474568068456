import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKnee } from '../../../src/domain/loadtest/knee.ts';

function knee(...curve: [slots: number, pagesPerSecond: number][]) {
  return findKnee(curve.map(([slots, pagesPerSecond]) => ({ slots, pagesPerSecond })));
}

function near(found: ReturnType<typeof findKnee>, slots: number, height: number): void {
  assert.equal(found?.slots, slots);
  assert.ok(Math.abs(found.height - height) < 1e-12, `height ${found.height}, expected ${height}`);
}

test('the knee of a curve that rises to two slots and is flat after is there', () => {
  // of 2 pages a second at most: 0.5, 1, 1, 1; less 0.25, 0.5, 0.75, 1 of the slots: 0.25, 0.5, 0.25, 0
  const found = knee([1, 1], [2, 2], [3, 2], [4, 2]);
  near(found, 2, 0.5);
  assert.equal(found?.isClear, true);
});

test('noise on the flat part does not move the knee', () => {
  // of 2.15: 0.465, 0.907, 0.930, 1; less the slots: 0.215, 0.407, 0.180, 0
  near(knee([1, 1], [2, 1.95], [3, 2], [4, 2.15]), 2, 1.95 / 2.15 - 0.5);
});

test('a curve that falls after its top has its knee at the top', () => {
  near(knee([1, 1], [2, 2], [3, 1.8], [4, 1.6]), 2, 0.5);
});

test('where one slot gives all there is, the knee is at one', () => {
  near(knee([1, 3], [2, 3]), 1, 0.5);
});

test('levels need not be evenly spaced, nor in order', () => {
  // of 8: 1/8, 4/8, 8/8, 8/8; less 1/16, 4/16, 8/16, 16/16
  near(knee([16, 8], [8, 8], [4, 4], [1, 1]), 8, 0.5);
});

test('of two levels of equal height the one with fewer slots is the knee', () => {
  // 0.5 - 0.25 and 0.75 - 0.5 are both a quarter
  near(knee([1, 2], [2, 3], [4, 4]), 1, 0.25);
});

test('a straight line has no knee as far as it goes: the last level counts, and is called unclear', () => {
  const found = knee([1, 1], [2, 2], [3, 3], [4, 4]);
  near(found, 4, 0);
  assert.equal(found?.isClear, false);
});

test('a bend of less than a tenth is taken for noise on a straight line', () => {
  assert.equal(knee([1, 1.15], [2, 2])?.isClear, false);
  assert.equal(knee([1, 1.25], [2, 2])?.isClear, true);
});

test('a curve that never leaves the straight line from below is unclear too', () => {
  near(knee([1, 0.2], [2, 2]), 2, 0);
});

test('nothing published has no knee, nor has nothing measured', () => {
  assert.equal(knee([1, 0], [2, 0]), undefined);
  assert.equal(knee(), undefined);
});
