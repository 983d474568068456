import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
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

test('the null engine reads files of many pieces at the same time, and each to its end', async () => {
  const engine = createNullEngine();
  const scans = [65_536, 200_000, 131_072].map((size) => randomBytes(size));
  const read = await Promise.all(
    scans.map(async (scan, n) => {
      const file = await writeSample(folder, `long-${String(n)}`, scan);
      return engine.recognise(file, { signal: never(), deadline: 1000 });
    }),
  );
  assert.deepEqual(
    read.map(({ pages }) => pages[0]?.text),
    scans.map((scan) => createHash('sha256').update(scan).digest('hex').slice(0, 16)),
  );
});

test('the null engine stops in the middle of a long file', async () => {
  const file = await writeSample(folder, 'long', randomBytes(200_000));
  const control = new AbortController();
  const recognised = createNullEngine().recognise(file, { signal: control.signal, deadline: 1000 });
  const reason = new Error('stop');
  control.abort(reason);
  await assert.rejects(recognised, (error) => error === reason);
});
