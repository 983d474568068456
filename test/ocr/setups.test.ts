import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine, Recognition } from '../../src/ocr/engine.ts';
import { engineFacts } from '../../src/ocr/engine-facts.ts';
import { BUILT_IN } from '../../src/ocr/setup.ts';
import type { OcrSetup } from '../../src/ocr/setup.ts';
import { eventually } from '../support/eventually.ts';
import { makeSamplePdf } from './sample-pdf.ts';
import { GENEROUS_MS, makeFolder, never, openEngine, writeSample } from './scratch.ts';

/** Reading by several OCR configurations, with real Tesseract. */
const CORPUS = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';
const SCAN = join(CORPUS, 'real-scans/synthetic-logistics/bol_ocean_fax_fine.tif');

const OTHER: OcrSetup = {
  ...BUILT_IN,
  version: 2,
  parameters: { preparation: { reduceAboveDpi: 130, targetDpi: 120 }, secondReading: { mostWords: 0 } },
};
/** So coarse that no letter is left. */
const BAD: OcrSetup = {
  ...BUILT_IN,
  version: 3,
  parameters: { preparation: { reduceAboveDpi: 30, targetDpi: 30, enlargeAtMost: 1 } },
};

const folder = await makeFolder();
const files: string[] = [];

before(async () => {
  const lines = [
    'DELIVERY RECEIPT DR-0098214-7',
    'Consignee Harbour Cold Storage',
    'Gross weight 18642.5 kg',
  ];
  files.push(await writeSample(folder, 'receipt.pdf', (await makeSamplePdf([{ lines, skew: 2 }])).bytes));
  if (existsSync(SCAN)) files.push(SCAN);
});

const read = (engine: OcrEngine, file: string, setup?: OcrSetup): Promise<Recognition> =>
  engine.recognise(file, { signal: never(), deadline: GENEROUS_MS, ...(setup && { setup }) });
const startedIn = (entries: Record<string, unknown>[]): number[] =>
  entries.filter(({ msg }) => msg === 'recogniser started').map(({ recogniser }) => Number(recogniser));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('two configurations that take turns each read every page as they do alone', async () => {
  const alone = new Map<OcrSetup, Recognition[]>();
  for (const setup of [BUILT_IN, OTHER]) {
    const { engine } = openEngine({ children: 2 });
    alone.set(setup, await Promise.all(files.map((file) => read(engine, file, setup))));
    await engine.close();
  }
  assert.notDeepEqual(alone.get(BUILT_IN), alone.get(OTHER), 'the two read differently');

  const { engine, entries } = openEngine({ children: 2 });
  const turns = files.flatMap((file, i) =>
    [BUILT_IN, OTHER, BUILT_IN].map((setup) => ({ file, setup, expected: alone.get(setup)?.[i] })),
  );
  await Promise.all(
    turns.map(async ({ file, setup, expected }) =>
      assert.deepEqual(await read(engine, file, setup), expected),
    ),
  );
  assert.ok(startedIn(entries).filter(isAlive).length <= 2, 'there are no more children than slots');
});

test('where a child is free that reads by the parameters wanted it is taken, and no other child ends', async () => {
  const { engine, entries } = openEngine({ children: 2 });
  const [file = ''] = files;
  await Promise.all([read(engine, file, BUILT_IN), read(engine, file, OTHER)]);
  const both = startedIn(entries);
  assert.equal(both.length, 2);
  for (const setup of [OTHER, BUILT_IN, OTHER, { ...OTHER, version: 4 }]) await read(engine, file, setup);
  assert.deepEqual(startedIn(entries), both);
  assert.ok(both.every(isAlive));
});

test('a slot whose child reads by other parameters ends it before it starts its own', async () => {
  const { engine, entries } = openEngine({ children: 1 });
  const [file = ''] = files;
  await read(engine, file, BUILT_IN);
  await read(engine, file, OTHER);
  const [first = 0, second = 0, ...more] = startedIn(entries);
  assert.deepEqual([isAlive(first), isAlive(second), more], [false, true, []]);
});

test('a child that nobody needs any more is ended, whatever it reads by', async () => {
  const { engine, entries } = openEngine({ children: 2, idleMs: 50 });
  const [file = ''] = files;
  await Promise.all([read(engine, file, BUILT_IN), read(engine, file, OTHER)]);
  await eventually('both children have ended', () => startedIn(entries).filter(isAlive).length === 0);
  assert.match((await read(engine, file, OTHER)).pages[0]?.text ?? '', /DELIVERY/);
});

test('a configuration that leaves no letter of a page reads it with little confidence, and the next document is read well', async () => {
  const { engine } = openEngine();
  const [file = ''] = files;
  const well = await read(engine, file);
  const badly = await read(engine, file, BAD);
  assert.ok((well.pages[0]?.confidence ?? 0) > 85, `${well.pages[0]?.confidence}`);
  assert.ok((badly.pages[0]?.confidence ?? 100) < 60, `${badly.pages[0]?.confidence}`);
  assert.doesNotMatch(badly.pages.map((page) => page.text).join(' '), /18642/);
  assert.deepEqual(await read(engine, file), well);
});

test('the other model is another file, by whose hash the engine says what it read with', async () => {
  const { engine } = openEngine();
  const setup: OcrSetup = { ...BUILT_IN, version: 5, parameters: { model: '4.0.0' } };
  const package_ = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json');
  const file = await readFile(join(dirname(package_), '4.0.0', 'eng.traineddata.gz'));
  const expected = { model: 'eng 4.0.0', modelSha256: createHash('sha256').update(file).digest('hex') };
  const { model, modelSha256 } = await engine.configuration(setup);
  assert.deepEqual({ model, modelSha256 }, expected);
  assert.match((await read(engine, files[0] ?? '', setup)).pages[0]?.text ?? '', /DR-0098214-7/);
});

test('configurations of different numbers are recorded differently, and each with the parameters it reads by', async () => {
  const { engine } = openEngine();
  const [first, other, same] = [
    await engine.configuration(),
    await engine.configuration(OTHER),
    await engine.configuration({ ...BUILT_IN, version: 9 }),
  ];
  assert.deepEqual(first, await engine.configuration(BUILT_IN));
  assert.equal('ocrVersion' in first, false);
  assert.equal(other['ocrVersion'], 2);
  const { ocrVersion, ...rest } = same;
  assert.deepEqual([ocrVersion, rest], [9, first]);
  const preparation = (configuration: typeof other) =>
    (configuration['parameters'] as { preparation: Record<string, unknown> }).preparation;
  assert.deepEqual(preparation(other), { ...preparation(first), reduceAboveDpi: 130, targetDpi: 120 });
});

test('an engine that is not what a configuration pins reads nothing by it, says why, and goes on with others', async () => {
  const { engine, entries, log } = openEngine();
  const [file = ''] = files;
  const facts = await engineFacts({ memoryLimitMb: 1024, log });
  const { core, modelSha256 } = facts;
  const pinned: OcrSetup = { ...BUILT_IN, version: 6, engine: 'tesseract.js', pins: { core, modelSha256 } };
  const well = await read(engine, file, pinned);
  const refused: readonly [Partial<OcrSetup>, RegExp][] = [
    [
      { pins: { core, modelSha256: 'ab12' } },
      new RegExp(`modelSha256 is pinned to ab12, and here it is ${modelSha256}`),
    ],
    [{ pins: { abacus: '1' } }, /abacus is pinned to 1, and here it is not stated/],
    [{ engine: 'paper' }, /for the engine paper, and here it is tesseract\.js \d/],
    [{ parameters: { null: { confidence: 3 } } }, /group null are for an engine that recognises nothing/],
  ];
  for (const [difference, message] of refused) {
    const setup = { ...pinned, ...difference };
    for (const outcome of [read(engine, file, setup), engine.configuration(setup)]) {
      await assert.rejects(outcome, (error) => {
        assert.ok(error instanceof DocketError && error.code === 'OCR_UNAVAILABLE');
        assert.match(error.message, /^nothing is read by OCR configuration 6 here: /);
        assert.match(error.message, message);
        return true;
      });
    }
  }
  assert.deepEqual(await read(engine, file, pinned), well);
  // One said what it is, one read, and one was there for parameters that it may not read by.
  assert.equal(startedIn(entries).length, 4);
});
