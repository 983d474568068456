import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { containerCheckDigit } from '../../corpus/container-number.ts';
import { readManifest } from '../../corpus/manifest.ts';

test('the check digit of CSQU305438 is 3, as worked out by hand', () => {
  // C 13, S 30, Q 28, U 32, then 3 0 5 4 3 8, each times a power of two from 1 to 512:
  // 13 + 60 + 112 + 256 + 48 + 0 + 320 + 512 + 768 + 4096 = 6185 = 562 * 11 + 3
  assert.equal(containerCheckDigit('CSQU305438'), 3);
});

test('every container number printed in the corpus has the check digit that a table of letter values gives', () => {
  const values = '0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ';
  const numbers = readManifest().flatMap(({ truth }) => {
    if (truth === null) return [];
    const text = readFileSync(new URL(`../../corpus/truth/${truth}`, import.meta.url), 'utf8');
    return text.match(/\b[A-Z]{3}U\d{7}\b/g) ?? [];
  });
  assert.ok(numbers.length >= 40, `found ${numbers.length}`);
  for (const number of numbers) {
    const sum = [...number.slice(0, 10)].reduce(
      (total, letter, i) => total + values.indexOf(letter) * 2 ** i,
      0,
    );
    assert.equal((sum % 11) % 10, Number(number[10]), number);
    assert.notEqual(sum % 11, 10, `${number} has a serial the standard advises against`);
  }
});
