import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

/** Documents that are read again, seen through a whole worker. */
const fixture = await createFixture();
const { db } = fixture;

/** What another OCR configuration makes of a page, and of the engine. */
let misread: (text: string) => string = (text) => text;
let failure: DocketError | undefined;
const nullEngine = createNullEngine();
const engine: OcrEngine = {
  ...nullEngine,
  async recognise(file, options) {
    const recognition = await nullEngine.recognise(file, options);
    if (options.setup === undefined || options.setup.version === 1) return recognition;
    if (failure) throw failure;
    const pages = recognition.pages.map((page) => {
      const text = misread(page.text);
      return {
        ...page,
        text,
        words: page.words.map(([, ...rest]) => [text, ...rest] as (typeof page.words)[0]),
      };
    });
    return { ...recognition, pages };
  },
};
await fixture.startWorker(engine);
const [added] = await commands.addOcrVersion(db, {
  engine: null,
  parameters: '{}',
  pins: '{}',
  gates: '{"unknown": {"min_characters": 3}}',
  reason: 'a test',
});
const version = added!.ocr_version;

async function published(...contents: string[]): Promise<string[]> {
  const objects = await Promise.all(contents.map((content) => fixture.put(content)));
  const jobs = await fixture.deliver(...objects);
  await eventually('they are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  return jobs;
}

/** Orders documents, and waits until every order has ended; the outcomes in the order of the documents. */
async function reread(jobs: string[], by = version): Promise<(string | null)[]> {
  const ordered = await commands.orderRereadings(db, { jobs, version: by, reason: 'a test' });
  const ids = ordered.map((one) => one.rereading_id);
  await ended('the re-readings have ended', ids);
  const { rows } = await db.query<{ job_id: string; outcome: string }>(
    'select job_id, outcome from docket.rereadings where rereading_id = any ($1::bigint[])',
    [ids],
  );
  return jobs.map((job) => rows.find((row) => row.job_id === job)!.outcome);
}

/** Waits for what is named to end; what failed for a passing reason is due at once. */
async function ended(what: string, ids: readonly string[]): Promise<void> {
  await eventually(what, async () => {
    await db.query(
      `update docket.rereadings r set due_at = now() where ended_at is null and due_at > now()
         and not exists (select from docket.reread_attempts a where a.rereading_id = r.rereading_id and a.ended_at is null)`,
    );
    const { rowCount } = await db.query(
      'select from docket.rereadings where rereading_id = any ($1::bigint[]) and ended_at is null',
      [ids],
    );
    return rowCount === 0;
  });
}

/** The text of a document as analysts get it, by the active rules. */
async function shown(job: string): Promise<string | undefined> {
  const { rows } = await db.query<{ text: string }>(
    'select text from docket_api.pages where document_id = $1',
    [job],
  );
  return rows[0]?.text;
}

async function unverified(): Promise<string[]> {
  const rows = await commands.verifyAll(db);
  return rows.filter((row) => row.failed_count !== '0').map((row) => row.checked);
}

test('documents are read again, and people are shown what was read then, redacted and found', async () => {
  const jobs = await published('one', 'two');
  const before = await Promise.all(jobs.map(shown));
  misread = (text) => `again ${text}`;
  assert.deepEqual(await reread(jobs), ['superseded', 'superseded']);
  assert.deepEqual(
    await Promise.all(jobs.map(shown)),
    before.map((text) => `again ${text}`),
  );
  assert.deepEqual((await fixture.events(jobs[0]!)).slice(-2), ['reread_ordered', 'superseded']);
  await eventually('the search finds the new text, and the old one no more', async () => {
    const found = await db.query<{ document_id: string }>(`select document_id from docket_api.search($1)`, [
      'again',
    ]);
    const old = await db.query(
      `select from docket.page_search where job_id = any ($1) and not terms @@ 'again'`,
      [jobs],
    );
    return old.rowCount === 0 && jobs.every((job) => found.rows.some((row) => row.document_id === job));
  });
  // by the first one the very result comes back
  assert.deepEqual(await reread([jobs[0]!], 1), ['superseded']);
  assert.equal(await shown(jobs[0]!), before[0]);
  assert.deepEqual(await unverified(), []);
});

test('a trial counts what differs, and changes nothing', async () => {
  const jobs = await published('three', 'four', 'five');
  const before = await Promise.all(jobs.map(shown));
  misread = (text) => `${text.slice(0, -1)}#`;
  const [trial] = await commands.startTrial(db, { version, reason: 'a test', jobs });
  await eventually('the trial has ended', async () => {
    const { rowCount } = await db.query(
      'select from docket.ocr_trials where trial_id = $1 and ended_at is not null',
      [trial!.trial_id],
    );
    return rowCount === 1;
  });
  const { rows } = await db.query<Record<string, unknown>>(
    `select words_before, words_after, words_kept, character_edits, characters_after, failed_gates, pages -> 0 -> 'differs' as differs
     from docket.trial_comparisons where trial_id = $1`,
    [trial!.trial_id],
  );
  const box = [100, 100, 400, 140];
  const compared = {
    ...{ words_before: 1, words_after: 1, words_kept: 0, character_edits: 1, characters_after: 16 },
    ...{ failed_gates: [], differs: [box, box] },
  };
  assert.deepEqual(rows, [compared, compared, compared]);
  assert.deepEqual(await Promise.all(jobs.map(shown)), before);
  assert.ok((await fixture.events(jobs[0]!)).every((event) => !/reread|supersede/.test(event)));
});

test('what the gates refuse, what is the same, and what cannot be read change nothing', async () => {
  const [job] = await published('six');
  const text = await shown(job!);
  misread = () => '#';
  assert.deepEqual(await reread([job!]), ['rejected']);
  failure = new DocketError('CORRUPT', 'it cannot be read');
  assert.deepEqual(await reread([job!]), ['failed']);
  failure = undefined;
  assert.deepEqual(await reread([job!], 1), ['unchanged']);
  assert.equal(await shown(job!), text);
  const ends = (await fixture.events(job!)).filter((event) => event === 'reread_ended');
  assert.equal(ends.length, 3);
});

test('an engine that does not start says why, and the document is read when it does', async () => {
  const [job] = await published('seven');
  misread = (text) => `seven ${text}`;
  failure = new DocketError('OCR_UNAVAILABLE', 'its model is pinned to another one');
  const rereading = reread([job!]);
  const message = async () =>
    (
      await db.query<{ message: string }>(
        `select a.message from docket.reread_attempts a join docket.rereadings r using (rereading_id)
         where r.job_id = $1 and a.code = 'OCR_UNAVAILABLE'`,
        [job],
      )
    ).rows[0]?.message;
  await eventually('it was tried', async () => (await message()) !== undefined);
  assert.equal(await message(), 'its model is pinned to another one');
  failure = undefined;
  assert.deepEqual(await rereading, ['superseded']);
});

test('replays and re-readings share the one slot, and a replay agrees with what superseded', async () => {
  const jobs = await published('eight', 'nine', 'ten', 'eleven');
  misread = (text) => `shared ${text}`;
  const [replay] = await commands.replayDocuments(db, { jobs, isReread: true, reason: 'a test' });
  assert.deepEqual(await reread(jobs), Array(4).fill('superseded'));
  const outcomes = async (id: number) =>
    (
      await db.query<{ outcome: string }>(
        'select outcome from docket.replayed_documents where replay_id = $1',
        [id],
      )
    ).rows.map((row) => row.outcome);
  await eventually('the replay has ended', async () => (await outcomes(replay!.replay_id)).length === 4);
  const [again] = await commands.replayDocuments(db, { jobs, isReread: true, reason: 'a test' });
  await eventually('the second has ended', async () => (await outcomes(again!.replay_id)).length === 4);
  assert.deepEqual(
    [await outcomes(replay!.replay_id), await outcomes(again!.replay_id)],
    [Array(4).fill('passed'), Array(4).fill('passed')],
  );
  assert.deepEqual(await unverified(), []);
});
