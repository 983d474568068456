import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compareReadings, type ReadPage } from '../../src/domain/comparison/compare-readings.ts';
import { comparisonJson } from '../../src/domain/comparison/comparison-json.ts';
import type { Claimed } from '../sql/reread-stage.ts';
import { reading, RereadStage } from '../sql/reread-stage.ts';
import { page, result } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { CliHome } from './run-docket.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const home = await CliHome.make({ DOCKET_DATABASE_URL: database.url() });
after(() => home.remove());
const because = ['--reason', 'faint carbon copies'];
const job = await stage.published();
const other = await stage.published();

interface Failure {
  error: { code: string; message: string };
}
interface Tried {
  trial: number;
  verdict: string;
  documents: { job_id: string; outcome: string | null }[];
}

/** What a worker does with a document of a trial: brings this text of it. */
async function bring(claimed: Claimed, text: string): Promise<void> {
  const pages = [page(text)];
  const before = (claimed.published as Record<string, unknown>[]).map(
    (one) => ({ ...one, pageNo: one['page_no'] }) as unknown as ReadPage,
  );
  const after = pages.map((one) => ({ ...one, pageNo: 1 }) as unknown as ReadPage);
  await rereads.record(claimed, {
    result: result({ pages }),
    comparison: comparisonJson(await compareReadings(before, after)),
  });
}

test('a trial that is waited for tells how it came out, and ends with 0 where nothing differs', async () => {
  const running = home.docket(['ocr', 'trial', '2', job, '--wait', ...because]);
  const claimed = await eventually('the document is handed out', async () => (await rereads.claim())[0]);
  await bring(claimed, 'Received in good order');
  const { code, stdout } = await running;
  assert.equal(code, 0);
  assert.match(stdout, /^Trial 1 of OCR configuration 2, begun .*: faint carbon copies$/m);
  assert.match(stdout, /^The same: OCR configuration 2 reads 1 document to the letter as published\.$/m);
  assert.match(stdout, /^To have it read a tenth of the documents: docket ocr activate 2 --share 0\.1/m);
});

test('without --wait it says that documents wait, and the trial is listed before the older one', async () => {
  const { stdout, code } = await home.docket(['ocr', 'trial', '2', '--count', '2', ...because]);
  assert.equal(code, 0);
  assert.match(stdout, /^Under way: 0 of 2 documents are compared\.$/m);
  const { trials } = await home.json<{ trials: Record<string, unknown>[] }>(['ocr', 'trial', 'list']);
  assert.deepEqual(
    trials.map((one) => [one['trial'], one['ocr_version'], one['documents'], one['compared'], one['reason']]),
    [
      [2, 2, 2, 0, 'faint carbon copies'],
      [1, 2, 1, 1, 'faint carbon copies'],
    ],
  );
  assert.match((await home.docket(['ocr', 'trial', 'list'])).stdout, /^ +2 +2 +2 +0 +0 .* 2 wait +faint/m);
});

test('the page of a trial shows where words differ, holds none of them, and is written over nothing', async () => {
  for (const claimed of await rereads.claim()) {
    await bring(claimed, claimed.job_id === other ? 'Received in gold order' : 'Received in good order');
  }
  const file = join(home.folder, 'trial.html');
  const { code, stdout } = await home.docket(['ocr', 'trial', 'show', '2', '--html', file]);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${other} +unknown +5\\.3 % +75\\.0 % +0 of 0 `, 'm'));
  assert.match(
    stdout,
    /^Differs, and confidence does not tell which is better: 2\.6 % of the text and 0 of 0/m,
  );
  const html = await readFile(file, 'utf8');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.doesNotMatch(html, /gold|Received/);
  assert.equal(html.match(/<rect class="c"/g)?.length, 2);
  const { error } = await home.json<Failure>(['ocr', 'trial', 'show', '2', '--html', file], 6);
  assert.equal(error.code, 'FILE_EXISTS');
  const shown = await home.json<Tried>(['ocr', 'trial', 'show', '2']);
  assert.deepEqual([shown.verdict, shown.documents[0]!.job_id], ['differs', other]);
});

test('documents are ordered to be read again by name, or by what read them, and their standing is told', async () => {
  const named = await home.docket(['ocr', 'reread', job, '--version', '2', ...because]);
  assert.match(
    named.stdout,
    /^1 document is to be read again by OCR configuration 2; what is published stays until then\.$/m,
  );
  const rest = await home.json<{ rereadings: { job_id: string }[] }>([
    ...['ocr', 'reread', '--of', '1', '--version', '2'],
    ...because,
  ]);
  assert.deepEqual(
    rest.rereadings.map((one) => one.job_id),
    [other],
  );
  for (const claimed of await rereads.claim()) {
    await rereads.record(claimed, { result: reading('Received in better order') });
  }
  const { counts } = await home.json<{ counts: unknown }>(['ocr', 'rereadings']);
  assert.deepEqual(counts, [{ ocr_version: 2, outcome: 'superseded', documents: 2 }]);
  const { rereadings } = await home.json<{ rereadings: unknown[] }>(['ocr', 'rereadings', '--open']);
  assert.deepEqual(rereadings, []);
  const status = await home.docket(['status', job]);
  assert.match(status.stdout, /^It was read again: an earlier result is superseded/m);
  const timeline = await home.docket(['timeline', job]);
  assert.match(timeline.stdout, /^ *\d+ +\S+ +superseded +published +docket_worker/m);
  assert.match(timeline.stdout, /^It was read again: an earlier result is superseded/m);
});

test('what does not make an order or a trial is refused before anything is begun', async () => {
  const refusals: [string[], number, string][] = [
    [['ocr', 'trial', '2', job], 2, 'USAGE'],
    [['ocr', 'trial', '2', job, '--count', '3', ...because], 2, 'USAGE'],
    [['ocr', 'trial', '2', '--count', '10001', ...because], 2, 'USAGE'],
    [['ocr', 'trial', '99', job, ...because], 5, 'ZD082'],
    [['ocr', 'trial', 'show', '99'], 5, 'TRIAL_NOT_FOUND'],
    [['ocr', 'reread', '--version', '2', ...because], 2, 'USAGE'],
    [['ocr', 'reread', job, '--of', '1', '--version', '2', ...because], 2, 'USAGE'],
    [['ocr', 'reread', job, '--limit', '5', '--version', '2', ...because], 2, 'USAGE'],
    [['ocr', 'reread', '11111111-1111-8111-8111-111111111111', '--version', '2', ...because], 5, 'ZD020'],
  ];
  for (const [args, code, error] of refusals) {
    assert.equal((await home.json<Failure>(args, code)).error.code, error, args.join(' '));
  }
  const { rows } = await stage.db.query('select from docket.ocr_trials');
  assert.equal(rows.length, 2);
});
