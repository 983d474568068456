import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

/**
 * A storm of ordinary papers, ten times what the slots can do, and papers that somebody signed among them. Nothing is timed: a
 * recognition ends when the test says so, and waiting is counted in documents that were begun or ended meanwhile.
 */
const fixture = await createFixture();
const { db } = fixture;
const STORM = 'storm';
const SIGNED = 'carrier-a';
await fixture.addSource(STORM);
await db.query(
  `insert into docket.source_members (source_id, role_name) values ($1, 'postgres'), ($2, 'postgres')`,
  [STORM, SIGNED],
);
const OCR_SLOTS = 2;
const WINDOW = 8;
// as if all were fast: of so slow pages fewer would be let in ahead
await db.query('update docket.lanes set window_size = $1', [WINDOW]);

/** Recognitions under way, the oldest first, by the words in their scan. */
const underWay = new Map<string, () => void>();
const begun: string[] = [];
const nullEngine = createNullEngine();
const wordsOf = new Map<string, string>();
const engine: OcrEngine = {
  ...nullEngine,
  async recognise(file, options) {
    const recognition = await nullEngine.recognise(file, options);
    const words = wordsOf.get(recognition.pages[0]!.text) ?? '?';
    begun.push(words);
    await new Promise<void>((resolve) => underWay.set(words, resolve));
    return recognition;
  },
};

/** Delivers scans of a kind, in the order given; returns their jobs. */
async function deliver(sourceId: string, kind: string, words: readonly string[]): Promise<string[]> {
  const stored = [];
  for (const one of words) {
    const object = await fixture.put(one);
    wordsOf.set(object.sha256.toString('hex').slice(0, 16), one);
    stored.push(object);
  }
  const { rows } = await db.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption, document_kind)
     select $1, o.sha256, o.locator, o.size_bytes, 'image/png', now() - interval '1 minute', 'none', $2
     from unnest($3::bytea[], $4::text[], $5::bigint[]) with ordinality as o (sha256, locator, size_bytes, place)
     order by o.place returning job_id`,
    [
      sourceId,
      kind,
      stored.map((object) => object.sha256),
      stored.map((object) => object.locator),
      stored.map((object) => object.sizeBytes),
    ],
  );
  return rows.map((row) => row.job_id);
}

function end(words: string): void {
  underWay.get(words)?.();
  underWay.delete(words);
}

const isOrdinary = (words: string) => words.startsWith('ordinary');

/** Ends the oldest ordinary recognition, and waits until another document has its slot. */
async function endOneOrdinary(): Promise<void> {
  const before = begun.length;
  end([...underWay.keys()].find(isOrdinary)!);
  await eventually('another document was begun', () => begun.length > before);
}

/** Waits until documents can be recognised, or are being: what is begun next is then for the queue to say. */
async function areReady(jobs: readonly string[]): Promise<void> {
  await eventually('they are verified', async () => {
    const { rows } = await db.query(
      `select from docket.jobs where job_id = any ($1::uuid[]) and next_task = 'ocr'`,
      [jobs],
    );
    return rows.length === jobs.length;
  });
}

/** Documents of the storm that were begun since that many were. */
const ordinarySince = (place: number) => begun.slice(place).filter(isOrdinary).length;

const numbered = (name: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, number) => `${name} ${String(from + number)}`);

await deliver(STORM, 'unknown', numbered('ordinary', 10 * WINDOW));
const config = { ocrSlots: OCR_SLOTS, ocrReservedSlots: 1 };
const worker = await fixture.startWorker(engine, { config });
await eventually('the slots are full of the storm', () => underWay.size === OCR_SLOTS);
await eventually('the window is full of the storm', async () => {
  const { rows } = await db.query<{ ready: number }>(
    `select count(*)::integer as ready from docket.jobs where source_id = $1 and next_task = 'ocr'`,
    [STORM],
  );
  return rows[0]!.ready === WINDOW;
});

test('a signed paper is begun while the storm holds every other slot and all of its window, and nothing of it ends', async () => {
  const place = begun.length;
  await deliver(SIGNED, 'delivery_receipt', ['signed 1']);
  await eventually('it is begun', () => underWay.has('signed 1'));
  assert.equal(ordinarySince(place), 0);
  assert.equal(underWay.size, OCR_SLOTS + 1);
});

test('the slot that is reserved stays free of the storm, however much of it waits', async () => {
  end('signed 1');
  for (let turn = 0; turn < 3; turn += 1) await endOneOrdinary();
  assert.ok([...underWay.keys()].every(isOrdinary));
  assert.equal(underWay.size, OCR_SLOTS);
});

test('while another has the reserved slot, a signed paper gets the next one that is free, before all of the storm that wait', async () => {
  await deliver(SIGNED, 'delivery_receipt', ['signed 2']);
  await eventually('the first is begun', () => underWay.has('signed 2'));
  const [job] = await deliver(SIGNED, 'delivery_receipt', ['signed 3']);
  await areReady([job!]);
  const place = begun.length;
  await endOneOrdinary();
  assert.deepEqual(begun.slice(place), ['signed 3']);
});

test('the same paper of a source whose rule says standard waits behind the storm', async () => {
  await db.query(
    `insert into docket.lane_rules (source_id, document_kind, lane) values ($1, 'delivery_receipt', 'standard')`,
    [SIGNED],
  );
  const [job] = await deliver(SIGNED, 'delivery_receipt', ['signed 4']);
  end('signed 2');
  end('signed 3');
  const place = begun.length;
  for (let ended = 0; ended < 2 * OCR_SLOTS; ended += 1) await endOneOrdinary();
  assert.ok(!begun.includes('signed 4'), 'it has overtaken what was in the window before it');
  assert.ok(ordinarySince(place) >= 2 * OCR_SLOTS);
  assert.deepEqual(await fixture.states([job!]), ['accepted']);
});

test('six signed papers that were delivered after a hundred others are all begun before two others a slot', async () => {
  await db.query('delete from docket.lane_rules');
  await whileAllEnd(() => worker.stop());
  await deliver(STORM, 'unknown', numbered('ordinary', 100, 1_000));
  const signed = numbered('signed', 6, 11);
  const jobs = await deliver(SIGNED, 'delivery_receipt', signed);
  const place = begun.length;
  await fixture.startWorker(engine, { config });
  await areReady(jobs);
  await whileAllEnd(() =>
    eventually('all signed papers are begun', () => signed.every((words) => begun.includes(words))),
  );
  const last = Math.max(...signed.map((words) => begun.indexOf(words)));
  const others = begun.slice(place, last).filter(isOrdinary).length;
  assert.ok(others <= 2 * OCR_SLOTS, begun.slice(place, last).join(', '));
});

/** Lets every recognition end as soon as it has begun, for the while. */
async function whileAllEnd(work: () => Promise<unknown>): Promise<void> {
  const ending = setInterval(() => [...underWay.keys()].forEach(end), 1);
  await work();
  clearInterval(ending);
}
