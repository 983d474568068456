import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { makeFolder, never, writeSample } from './scratch.ts';

const folder = await makeFolder();

test('the null engine answers one page that stands for the bytes of the file', async () => {
  const engine = createNullEngine();
  const file = await writeSample(folder, 'abc', Buffer.from('abc'));
  const { pagesDeclared, pagesDecoded, pages } = await engine.recognise(file, {
    signal: never(),
    deadline: 1000,
  });
  assert.deepEqual([pagesDeclared, pagesDecoded, pages.length], [1, 1, 1]);
  // The published SHA-256 of "abc".
  assert.equal(pages[0]?.text, 'ba7816bf8f01cfea');
  await engine.close();
});

test('the null engine stops when it is told to', async () => {
  const file = await writeSample(folder, 'abc', Buffer.from('abc'));
  const recognised = createNullEngine().recognise(file, { signal: AbortSignal.abort(), deadline: 1000 });
  await assert.rejects(recognised, { name: 'AbortError' });
});
