import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createLog } from '../../src/log.ts';
import { RecogniserProcess } from '../../src/ocr/recogniser-process.ts';
import { eventually } from '../support/eventually.ts';
import { makeEndlessPdf, makeSamplePdf } from './sample-pdf.ts';
import { GENEROUS_MS, makeFolder, never, openEngine, writeSample } from './scratch.ts';

const folder = await makeFolder();
let page: string;
let threePages: string;
let endless: string;

before(async () => {
  const lines = ['PACKING LIST PL-88213', 'Total 57 cartons'];
  page = await writeSample(folder, 'page.pdf', (await makeSamplePdf([{ lines }])).bytes);
  const pages = ['FIRST', 'SECOND', 'THIRD'].map((word) => ({ lines: [`${word} PAGE`, ...lines] }));
  threePages = await writeSample(folder, 'three.pdf', (await makeSamplePdf(pages)).bytes);
  endless = await writeSample(folder, 'endless.pdf', makeEndlessPdf());
});

const hasCode = (code: string) => (error: unknown) => error instanceof DocketError && error.code === code;
const read = (engine: OcrEngine, file: string) =>
  engine.recognise(file, { signal: never(), deadline: GENEROUS_MS });
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

test('a child that is still at it at the deadline is killed, and the next document finds another', async () => {
  const { engine, entries } = openEngine();
  await read(engine, page);
  const startedAt = performance.now();
  await assert.rejects(engine.recognise(endless, { signal: never(), deadline: 500 }), hasCode('OCR_TIMEOUT'));
  const took = performance.now() - startedAt;
  assert.ok(took >= 495 && took < 1500, `it took ${took} ms`);
  assert.equal(isAlive(startedIn(entries)[0] ?? 0), false);
  assert.match((await read(engine, page)).pages[0]?.text ?? '', /PL-88213/);
});

test('a page that hangs ends its document long before the deadline, and the next document finds another child', async () => {
  const { engine, entries } = openEngine({ pageWithinMs: 8_000 });
  await assert.rejects(read(engine, endless), (error) => {
    assert.ok(hasCode('OCR_TIMEOUT')(error));
    assert.match((error as DocketError).message, /^a page took longer than 8000 ms/);
    return true;
  });
  assert.equal((await read(engine, page)).pages.length, 1);
  assert.equal(startedIn(entries).length, 2);
});

test('an abort ends the child at once and throws what the signal says', async () => {
  const { engine, entries } = openEngine();
  await read(engine, page);
  const reason = new Error('the worker is stopping');
  const control = new AbortController();
  const under = engine.recognise(endless, { signal: control.signal, deadline: GENEROUS_MS });
  const outcome = assert.rejects(under, reason);
  const [child = 0] = startedIn(entries);
  await eventually('the child is at work', () => burnsCpu(child));
  const startedAt = performance.now();
  control.abort(reason);
  await outcome;
  assert.ok(performance.now() - startedAt < 1000);
  assert.equal(isAlive(child), false);
});

test('a document that waits for a child leaves the line when it is aborted or out of time', async () => {
  const { engine } = openEngine();
  await read(engine, page);
  const control = new AbortController();
  const outcomes = [
    assert.rejects(engine.recognise(endless, { signal: never(), deadline: 3000 }), hasCode('OCR_TIMEOUT')),
    assert.rejects(engine.recognise(page, { signal: never(), deadline: 100 }), hasCode('OCR_TIMEOUT')),
    assert.rejects(engine.recognise(page, { signal: control.signal, deadline: GENEROUS_MS }), {
      name: 'AbortError',
    }),
  ];
  control.abort();
  await Promise.all(outcomes);
  assert.match((await read(engine, page)).pages[0]?.text ?? '', /PL-88213/);
});

test('a child that dies takes only its own document with it', async () => {
  const { engine, entries } = openEngine({ children: 2 });
  const doomed = engine.recognise(endless, { signal: never(), deadline: GENEROUS_MS });
  const crashed = assert.rejects(doomed, hasCode('OCR_CRASHED'));
  // The endless document went to the first child, which is therefore the one that is not free for these.
  const other = await read(engine, page);
  await eventually('both children have started', () => startedIn(entries).length === 2);
  const survivors = new Set<number>();
  for (const pid of startedIn(entries)) {
    if (await burnsCpu(pid)) process.kill(pid, 'SIGKILL');
    else survivors.add(pid);
  }
  await crashed;
  assert.equal(survivors.size, 1);
  assert.deepEqual(await read(engine, page), other);
  assert.ok(isAlive([...survivors][0] ?? 0));
});

/** Whether a process uses the processor while two readings of its clock are taken. */
async function burnsCpu(pid: number): Promise<boolean> {
  const ticks = async (): Promise<number> => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
  };
  const first = await ticks();
  for (const until = performance.now() + 2000; performance.now() < until;) {
    if ((await ticks()) > first + 3) return true;
  }
  return false;
}

test('a child that never was ready says something of the engine, and nothing of the document', async () => {
  for (const command of [['/no/such/program'], ['false'], ['sh', '-c', 'kill -9 $$']]) {
    const log = createLog({ level: 'silent' });
    const child = new RecogniserProcess({
      log,
      confinement: { command, nodeOptions: [], measures: [] },
      memoryLimitMb: 500,
    });
    await assert.rejects(child.facts(), hasCode('OCR_UNAVAILABLE'), command[0]);
    const order = {
      type: 'recognise',
      file: page,
      fromPage: 1,
      maxPages: 9,
      maxPixels: 1e8,
      restAbove: 1e9,
    } as const;
    await assert.rejects(
      child.run(order, () => undefined),
      hasCode('OCR_UNAVAILABLE'),
      command[0],
    );
  }
});

test('a child that has grown is replaced between pages without the document noticing', async () => {
  const roomy = openEngine();
  const whole = await read(roomy.engine, threePages);
  // A child rests above four tenths of its limit; at 400 MiB that is what it holds as soon as it has read a page.
  const tight = openEngine({ memoryLimitMb: 400 });
  const pieces = await read(tight.engine, threePages);
  assert.deepEqual(pieces, whole);
  assert.equal(startedIn(roomy.entries).length, 1);
  assert.ok(startedIn(tight.entries).length >= 3, `children: ${startedIn(tight.entries).length}`);
});

test('a child over its memory limit is killed', async () => {
  const { engine } = openEngine({ memoryLimitMb: 60 });
  await assert.rejects(read(engine, threePages), hasCode('OCR_OUT_OF_MEMORY'));
});

test('a child gets nothing of the parent’s environment, and no network where the system allows that', async () => {
  process.env['DOCKET_TEST_SECRET'] = 'postgres://secret';
  const { engine, entries } = openEngine();
  const { confinement } = await engine.configuration();
  delete process.env['DOCKET_TEST_SECRET'];
  const [pid = 0] = startedIn(entries);
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  const names = environment.split('\0').map((line) => line.split('=')[0]);
  assert.deepEqual(names.filter((name) => name !== '').sort(), [
    'LANG',
    'MALLOC_ARENA_MAX',
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'UV_THREADPOOL_SIZE',
  ]);
  const [mine, its] = await Promise.all([readlink('/proc/self/ns/net'), readlink(`/proc/${pid}/ns/net`)]);
  assert.equal(mine !== its, (confinement as string[]).includes('unshare: no network'));
});

test('a child ends with its parent where the system allows that, even in the middle of decoding', async (t) => {
  const { confinement } = await openEngine().engine.configuration();
  if (!(confinement as string[]).includes('setpriv: ends with its parent')) {
    t.skip('setpriv is missing');
    return;
  }
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'doomed-parent.ts'), endless]);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const { recogniser } = JSON.parse(line.toString('utf8')) as { recogniser: number };
  assert.equal(isRunning(recogniser), true);
  parent.kill('SIGKILL');
  await eventually('the child has ended', () => !isRunning(recogniser), { withinMs: 2000 });
});

/** Not gone, and not only waiting to be buried by an init process that may not do so. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('a file that is not there is a failure of the temporary storage, not of the document', async () => {
  const { engine } = openEngine();
  await assert.rejects(read(engine, `${folder}/missing.pdf`), hasCode('TEMP_STORAGE_FAILED'));
});

test('a closed engine takes no more documents and leaves no child behind', async () => {
  const { engine, entries } = openEngine();
  await read(engine, page);
  await engine.close();
  await assert.rejects(read(engine, page), hasCode('WORKER_STOPPING'));
  assert.deepEqual(startedIn(entries).filter(isAlive), []);
});
