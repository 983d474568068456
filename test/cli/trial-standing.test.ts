import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitTrial } from '../../src/cli/trial/await-trial.ts';
import { trialAnswer } from '../../src/cli/trial/trial-answer.ts';
import { trialStanding, withPages, type Trial } from '../../src/cli/trial/trial-standing.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import { compareReadings, type ReadPage } from '../../src/domain/comparison/compare-readings.ts';
import { comparisonJson } from '../../src/domain/comparison/comparison-json.ts';
import { page, result } from '../sql/stage.ts';
import { RereadStage, type Claimed } from '../sql/reread-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const reader = typedQueries((await createLogin(database, 'docket_auditor')).pool);

const published = [await stage.published(), await stage.published(), await stage.published()];

/** What was published, or brought, as the worker has it to compare. */
function read(pages: unknown): ReadPage[] {
  return (pages as Record<string, unknown>[]).map(
    (one) => ({ ...one, pageNo: one['page_no'] }) as unknown as ReadPage,
  );
}

/** Brings a page with this text, and how it differs from what was handed out. */
async function bring(claimed: Claimed, text: string, confidence = 90): Promise<string> {
  const pages = [page(text, { confidence })];
  const compared = await compareReadings(read(claimed.published), read(pages));
  const { outcome } = await rereads.record(claimed, {
    result: result({ pages }),
    comparison: comparisonJson(compared),
  });
  return outcome;
}

test('a trial is followed until its last document is compared, and says what would be quarantined', async () => {
  const version = await rereads.addVersion({ unknown: { min_confidence: 60 } });
  const trial = await rereads.trial({ jobs: published, version, reason: 'less noise' });
  const begun = await trialStanding(reader, trial);
  assert.deepEqual(
    [begun.version, begun.reason, begun.startedBy, begun.endedAt, begun.documents.length],
    [version, 'less noise', rereads.operator.name, null, 3],
  );
  const open = trialAnswer(begun);
  assert.match(
    open.text,
    /^Under way: 0 of 3 documents are compared\.\nLook again: docket ocr trial show 1$/m,
  );
  assert.equal(open.exitCode, 0);

  const [same, other, faint] = (await rereads.claim()) as [Claimed, Claimed, Claimed];
  assert.equal(await bring(same, 'Received in good order'), 'compared');
  assert.equal(await bring(other, 'Received in god order 4711', 92), 'compared');
  const looks: number[] = [];
  const waiting = awaitTrial(reader, trial, {
    signal: new AbortController().signal,
    onLook: ({ documents }) => void looks.push(documents.filter(({ outcome }) => outcome === null).length),
  });
  assert.equal(await bring(faint, 'Received in good order', 40), 'compared');
  const ended = await waiting;
  assert.ok(ended.endedAt !== null);
  assert.equal(looks.at(-1), 0);

  const { text, json, exitCode } = trialAnswer(ended);
  assert.equal(exitCode, 8);
  assert.match(
    text,
    /^Worse: of 3 documents that are published, 1 would be quarantined \(VALIDATION_REJECTED 1\)\.$/m,
  );
  // 19 characters a document; one of them lost an o, and has four digits more: 5 of 57
  assert.match(
    text,
    /^unknown +3 +3 +8\.8 % +91\.7 % +0 of 0 +90\.0 → 74\.0 +× \d+\.\d\d +VALIDATION_REJECTED 1$/m,
  );
  const rows = text.split('\n').filter((line) => /^[0-9a-f]{8}-/.test(line));
  assert.deepEqual(
    rows.map((row) => row.slice(0, 36)),
    [faint.job_id, other.job_id],
    'the worst first, and not the one that is the same',
  );
  const { verdict, totals, documents } = json as {
    verdict: string;
    totals: Record<string, unknown>;
    documents: Record<string, unknown>[];
  };
  assert.equal(verdict, 'worse');
  assert.deepEqual(
    [totals['character_edits'], totals['words_kept'], totals['failed_gates']],
    [5, 11, { VALIDATION_REJECTED: 1 }],
  );
  assert.deepEqual(
    documents.map((one) => one['job_id']),
    [faint.job_id, other.job_id, same.job_id],
  );
});

test('maps come with their boxes only where they are asked for, those of the worst first', async () => {
  const [first] = (
    await stage.db.query<{ trial_id: number }>('select min(trial_id) as trial_id from docket.ocr_trials')
  ).rows;
  const standing = await trialStanding(reader, first!.trial_id);
  const boxes = ({ documents }: Trial) =>
    documents
      .flatMap(({ compared }) => compared?.pages ?? [])
      .map(({ differs }) => differs.length)
      .sort((a, b) => a - b);
  assert.deepEqual(boxes(standing), []);
  // good was read as god, and 4711 as well
  assert.deepEqual(boxes(await withPages(reader, standing, 100)), [0, 0, 3]);
  assert.deepEqual(boxes(await withPages(reader, standing, 1)), [0], 'the one that would be quarantined');
  assert.deepEqual(boxes(await withPages(reader, standing, 0)), []);
});

test('what could not be read at all is listed first, with why', async () => {
  const trial = await rereads.trial({ jobs: published.slice(0, 1) });
  const claimed = await rereads.claimOne();
  for (let tries = 0; ; tries += 1) {
    const { outcome } = await rereads.record(tries === 0 ? claimed : await rereads.claimOne(), {
      code: 'OCR_TIMEOUT',
    });
    if (outcome !== 'retry') break;
    await rereads.timePasses();
  }
  const { text, exitCode } = trialAnswer(await trialStanding(reader, trial));
  assert.equal(exitCode, 8);
  assert.match(text, /not read: OCR_TIMEOUT/);
  assert.match(text, /^Worse: of 1 document that is published, 1 could not be read \(OCR_TIMEOUT\)\.$/m);
});

test('a trial that nobody started is refused by its number', async () => {
  await assert.rejects(trialStanding(reader, 4711), {
    code: 'TRIAL_NOT_FOUND',
    message: 'there is no trial 4711',
  });
});
