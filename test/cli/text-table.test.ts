import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textTable } from '../../src/cli/text-table.ts';

test('columns are as wide as their widest cell, and numbers stand to the right', () => {
  assert.equal(
    textTable(
      ['file', 'pages', 'state'],
      [
        ['a.png', 1, 'published'],
        ['longer.tif', 12, null],
      ],
    ),
    'file        pages  state\na.png           1  published\nlonger.tif     12',
  );
});

test('a name cannot steer the terminal or begin a line of its own', () => {
  assert.equal(textTable(['file'], [['a\u001b[2Jb\nc\u202egnp']]), 'file\na\ufffd[2Jb c\ufffdgnp');
});

test('no rows make no table', () => {
  assert.equal(textTable(['file'], []), '');
});
