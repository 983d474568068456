import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atBothEnds, beside, cutText, wrapText } from '../../../src/cli/terminal/fit-text.ts';
import { coloured, mediumOf, plain } from '../../../src/cli/terminal/paint.ts';

test('text is broken at spaces, and a word that is longer than a line within itself', () => {
  assert.deepEqual(wrapText('one two three', 7), ['one two', 'three']);
  assert.deepEqual(wrapText('abcdefgh ij', 5), ['abcde', 'fgh', 'ij']);
  assert.deepEqual(wrapText('  ', 5), []);
  assert.deepEqual(wrapText('äöü ß', 3), ['äöü', 'ß']);
});

test('what is cut off is shown by an ellipsis within the width', () => {
  assert.equal(cutText('12345', 5), '12345');
  assert.equal(cutText('123456', 5), '1234…');
  assert.equal(cutText('123456', 0), '');
});

test('two texts stand at both ends of a line, and in two lines where there is no room between them', () => {
  assert.deepEqual(atBothEnds('ab', 'yz', 6), ['ab  yz']);
  assert.deepEqual(atBothEnds('abc', 'yz', 6), ['abc', '    yz']);
  assert.deepEqual(atBothEnds('abc', '', 6), ['abc']);
});

test('blocks stand beside each other though one is longer', () => {
  assert.deepEqual(beside(['a', 'bbb'], ['x', 'y', 'z']), ['a     x', 'bbb   y', '      z']);
  assert.deepEqual(beside(['a', 'b'], ['x']), ['a   x', 'b']);
});

test('colours are for terminals that have them, and lines there no longer than 120 columns unless stated', () => {
  const out = { isTTY: true, columns: 200, hasColors: () => true };
  assert.deepEqual(mediumOf(out), { columns: 120, paint: coloured });
  assert.equal(mediumOf(out, { wide: true }).columns, 200);
  assert.equal(mediumOf({ ...out, columns: 10 }).columns, 40);
  assert.equal(mediumOf({ ...out, hasColors: () => false }).paint, plain);
  assert.deepEqual(mediumOf({ ...out, isTTY: false }), { columns: 100, paint: plain });
  assert.equal(coloured('red', 'x'), '\u001b[31mx\u001b[39m');
  assert.equal(plain('red', 'x'), 'x');
});
