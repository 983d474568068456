import assert from 'node:assert/strict';
import { test } from 'node:test';
import { score } from '../../bench/support/scoring.ts';

test('the order of words does not count', () => {
  assert.equal(score('Total 204.75 EUR', 'EUR Total 204.75').cer, 0);
});

test('one wrong character of twelve is a twelfth', () => {
  assert.equal(score('abcdef 12 ghij', 'abcdef 12 ghix').cer, 1 / 12);
});

test('what is missing and what is too much both count', () => {
  assert.equal(score('abcd efgh', 'abcd').cer, 0.5);
  assert.equal(score('abcd', 'abcd efgh').cer, 1);
});

test('ruled lines read as bars and typographic quotes are not errors', () => {
  assert.equal(score("shipper's load", '| shipper’s _load_ |').cer, 0);
});

test('only tokens of four characters with a digit are counted as numbers, and only exact ones as found', () => {
  const { digitTokens, digitTokensFound } = score(
    'MSKU7583219 12 2026-04-21 net',
    'MSKU7583219 12 2026-04-27 net',
  );
  assert.deepEqual([digitTokens, digitTokensFound], [2, 1]);
});
