import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { BUILT_IN } from '../../src/ocr/setup.ts';
import type { OcrSetup } from '../../src/ocr/setup.ts';
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

test('the null engine reads by a configuration as it is told to: with another confidence, or not at all', async () => {
  const engine = createNullEngine();
  const file = await writeSample(folder, 'abc', Buffer.from('abc'));
  const by = (parameters: OcrSetup['parameters']) => ({
    ...{ signal: never(), deadline: 1000 },
    setup: { ...BUILT_IN, version: 2, parameters },
  });
  const { pages } = await engine.recognise(file, by({ null: { confidence: 12 } }));
  assert.deepEqual(
    pages.map(({ confidence, words }) => ({ confidence, words })),
    [{ confidence: 12, words: [['ba7816bf8f01cfea', 12, 100, 100, 400, 140]] }],
  );
  await assert.rejects(engine.recognise(file, by({ null: { fails: 'OCR_CRASHED' } })), {
    code: 'OCR_CRASHED',
  });
  assert.deepEqual(await engine.configuration(), { engine: 'null', version: 1 });
  assert.deepEqual(await engine.configuration(by({ null: { confidence: 12 } }).setup), {
    ...{ engine: 'null', version: 1, ocrVersion: 2 },
    parameters: { null: { confidence: 12 } },
  });
});
