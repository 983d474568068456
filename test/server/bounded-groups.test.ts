import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundGroups } from '../../src/server/metrics/bounded-groups.ts';

interface Row {
  group: string;
  measure: string;
  oldest: number;
  count: number;
}

const bound = (rows: Row[], most: number) =>
  boundGroups(rows, {
    weightOf: ({ oldest }) => oldest,
    keyOf: ({ measure }) => measure,
    merge: (one, other) => ({
      ...one,
      oldest: Math.max(one.oldest, other.oldest),
      count: one.count + other.count,
    }),
    most,
  });

const row = (group: string, measure: string, oldest: number, count = 1): Row => ({
  group,
  measure,
  oldest,
  count,
});

test('the groups with the oldest of anything keep their name in all that they have; the others are one', () => {
  const rows = [
    row('a', 'waiting', 10, 2),
    row('b', 'waiting', 30, 3),
    row('c', 'waiting', 20, 4),
    row('a', 'running', 99, 5),
    row('c', 'running', 1, 6),
    row('d', 'waiting', 5, 7),
    row('d', 'untold', 2, 8),
  ];
  assert.deepEqual(bound(rows, 2), [
    row('a', 'waiting', 10, 2),
    row('b', 'waiting', 30, 3),
    row('a', 'running', 99, 5),
    row('(other)', 'waiting', 20, 11),
    row('(other)', 'running', 1, 6),
    row('(other)', 'untold', 2, 8),
  ]);
});

test('as many groups as there may be are all told of, and of equal ones the first by name', () => {
  const rows = [row('b', 'waiting', 7), row('a', 'waiting', 7)];
  assert.deepEqual(bound(rows, 2), rows);
  assert.deepEqual(bound(rows, 1), [row('a', 'waiting', 7), row('(other)', 'waiting', 7)]);
  assert.deepEqual(bound([], 1), []);
});
