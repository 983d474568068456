import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { CliHome, type Running } from './run-docket.ts';

// A trial and a re-reading of a real scan, by a real worker with Tesseract.

const because = ['--reason', 'a coarser picture'];
let home: CliHome;
let stack: Running;
let job = '';

interface Result {
  result_sha256: string;
  ocr_version: number;
  is_current: boolean;
  supersedes: string | null;
}
interface Tried {
  verdict: string;
  totals: Record<string, number>;
  documents: { job_id: string; outcome: string }[];
}

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
  const { documents } = await home.json<{ documents: { job_id: string }[] }>([
    'submit',
    CliHome.corpus('12-weighbridge-ticket-phone.jpg'),
    '--wait',
  ]);
  job = documents[0]!.job_id;
});
after(async () => {
  await stack.stop();
  await home.remove();
});

const results = async () => (await home.json<{ results: Result[] }>(['status', job])).results;

test('a trial of a configuration that reads too coarse a picture speaks against it, and nothing published changes', async () => {
  const before = await results();
  const added = await home.json<{ version: number }>([
    ...['ocr', 'add', '--set', 'preparation.reduceAboveDpi=60', 'preparation.targetDpi=50', '--no-pins'],
    ...because,
  ]);
  assert.equal(added.version, 2);
  const tried = await home.json<Tried>(['ocr', 'trial', '2', job, '--wait', ...because], 8);
  assert.match(tried.verdict, /^(looks_)?worse$/);
  assert.deepEqual(
    tried.documents.map((one) => [one.job_id, one.outcome]),
    [[job, 'compared']],
  );
  assert.ok(tried.totals['character_edits']! > 0);
  assert.ok(tried.totals['words_before']! > 20);
  const file = join(home.folder, 'trial.html');
  await home.json(['ocr', 'trial', 'show', '1', '--html', file], 8);
  const { stdout } = await home.docket(['text', job, ...because]);
  const words = stdout.match(/[A-Z]{6,}|\d{4,}/g) ?? [];
  assert.ok(words.length > 3);
  const html = await readFile(file, 'utf8');
  for (const word of words) assert.ok(!html.includes(`>${word}<`) && !html.includes(` ${word} `), word);
  assert.ok((html.match(/<rect class="c"/g)?.length ?? 0) > 0);
  assert.deepEqual(await results(), before);
});

test('a document that is read again for good has two results, of which the log vouches for both', async () => {
  const [published] = await results();
  await home.json([...['ocr', 'reread', job, '--version', '2'], ...because]);
  const [old, current] = await eventually('the document was read again', async () => {
    const all = await results();
    return all.length === 2 && all;
  });
  assert.deepEqual({ ...old!, is_current: true, superseded_at: null }, published);
  assert.deepEqual(
    [current!.ocr_version, current!.is_current, current!.supersedes],
    [2, true, published!.result_sha256],
  );
  assert.equal((await home.docket(['verify'])).code, 0);
  const bundle = join(home.folder, 'claim.tar');
  await home.json(['bundle', job, '--out', bundle, ...because]);
  const { stdout, code } = await home.docket(['bundle', 'verify', bundle]);
  assert.equal(code, 0);
  assert.match(stdout, /^ +supersedes +1 good$/m);
  assert.match(stdout, /^ +result +2 good$/m);
});
