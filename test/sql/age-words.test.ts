import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageWords, measureWords } from '../../src/cli/alerts/threshold-words.ts';
import { thresholdArgument } from '../../src/cli/alerts/threshold-argument.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

const SAID: readonly (readonly [seconds: number, words: string])[] = [
  [-3, '0 s'],
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [725, '12 min 5 s'],
  [3600, '1 h'],
  [7380.5, '2 h 3 min'],
  [86_400, '1 d'],
  [90_061, '1 d 1 h'],
];

test('an age is said by the database and by the command line in the same words', async () => {
  const { rows } = await database
    .pool()
    .query<{ words: string }>(
      'select docket.age_words(n.seconds) as words from unnest($1::float8[]) with ordinality as n (seconds, place) order by place',
      [SAID.map(([seconds]) => seconds)],
    );
  assert.deepEqual(
    rows.map(({ words }) => words),
    SAID.map(([, words]) => words),
  );
  assert.deepEqual(
    SAID.map(([seconds]) => ageWords(seconds)),
    SAID.map(([, words]) => words),
  );
});

test('shares are told in per cent, and what is not set as nothing', () => {
  assert.equal(measureWords('quarantined_share', 0.255), '25.5 %');
  assert.equal(measureWords('quarantined_share', 1), '100 %');
  assert.equal(measureWords('unsealed', 90), '1 min 30 s');
  assert.equal(measureWords('unsealed', null), '');
});

test('a threshold is a span, a share, a number, or none', () => {
  const read = (text: string) => thresholdArgument.safeParse(text);
  for (const [text, value] of [
    ['90s', 90],
    ['10m', 600],
    ['10 min', 600],
    ['2h', 7200],
    ['1d', 86_400],
    ['0.25', 0.25],
    ['25%', 0.25],
    ['300', 300],
    ['none', null],
  ] as const)
    assert.deepEqual(read(text), { success: true, data: value }, text);
  for (const text of ['', 'soon', '-1', '5 years', '1e3', '10m5s'])
    assert.equal(read(text).success, false, text);
});
