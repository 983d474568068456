import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { replayStatement } from '../../src/cli/replay/replay-statement.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

let home: CliHome;
let stack: Running;
let job: string;

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
  const submitted = await home.json<{ documents: { job_id: string }[] }>([
    'submit',
    CliHome.corpus('12-weighbridge-ticket-phone.jpg'),
    '--wait',
  ]);
  job = submitted.documents[0]!.job_id;
});
after(async () => {
  await stack.stop();
  await home.remove();
});

interface Replayed {
  replay: number;
  passed: number;
  failed: number;
  reread: number;
  statement: string;
  documents: { job_id: string; findings: { checked: string; found: string }[] }[];
}

test('all documents are replayed and read anew, and what that says is said', async () => {
  const replayed = await home.json<Replayed>(['replay', '--share', '100%', '--reread', '--seed', 'a seed']);
  assert.deepEqual([replayed.passed, replayed.failed, replayed.reread], [1, 0, 1]);
  assert.equal(
    replayed.statement,
    '1 of 1 documents were checked: 1 passed, 0 failed. The text of 1 was recognised anew. That is all there are: none is bad.',
  );
  const { replays } = await home.json<{ replays: { replay: number; seed: string }[] }>(['replay', 'list']);
  assert.deepEqual(
    replays.map((one) => [one.replay, one.seed]),
    [[replayed.replay, 'a seed']],
  );
});

test('a flipped byte in the store is found, ends with 8, and is shown as disputed wherever the document is', async () => {
  const objects = join(home.folder, 'data/objects');
  const names = await readdir(objects, { recursive: true, withFileTypes: true });
  const file = names.find((entry) => entry.isFile() && entry.name !== '.docket-store')!;
  const path = join(file.parentPath, file.name);
  const intact = await readFile(path);
  const altered = Buffer.from(intact);
  altered[altered.length >> 1]! ^= 1;
  await writeFile(path, altered);

  const { code, stdout } = await home.docket(['replay', job]);
  assert.equal(code, 8);
  assert.match(stdout, new RegExp(`${job} +failed +object +[0-9a-f]{16}… +OBJECT_DAMAGED`));
  const shown = await home.docket(['replay', 'show', '2', '--json']);
  assert.equal(shown.code, 8);
  const { documents } = JSON.parse(shown.stdout) as Replayed;
  assert.deepEqual(
    documents.map((one) => [one.job_id, one.findings[0]!.found]),
    [[job, 'OBJECT_DAMAGED']],
  );
  const said = /^Disputed: replay 2 failed/m;
  for (const args of [
    ['status', job],
    ['timeline', job],
  ])
    assert.match((await home.docket(args)).stdout, said);
  assert.match((await home.docket(['text', job, '--reason', 'a test'])).stderr, said);
  assert.equal((await home.json<{ is_disputed: boolean }>(['status', job])).is_disputed, true);
  assert.equal((await home.json<{ disputed: number }>(['status'])).disputed, 1);
  assert.match(
    (await home.docket(['status'])).stdout,
    /^ALERT +Disputed, as their newest replay failed: 1\./m,
  );

  await writeFile(path, intact);
  assert.equal((await home.json<Replayed>(['replay', job])).passed, 1);
  assert.doesNotMatch((await home.docket(['status', job])).stdout, /Disputed/);
  assert.equal((await home.json<{ is_disputed: boolean }>(['status', job])).is_disputed, false);
});

test('how many are replayed each day is shown and set', async () => {
  const { daily_count } = await home.json<{ daily_count: number }>(['replay', 'plan']);
  assert.equal(daily_count, 200);
  const { stdout } = await home.docket(['replay', 'plan', '--daily', '50', '--reread']);
  assert.equal(
    stdout.trim(),
    '50 published documents are replayed each day, and their text is recognised anew.',
  );
});

for (const [args, code, words] of [
  [['replay'], 2, /name documents, or state --count, or --share/],
  [['replay', '--share', '0'], 2, /--share: expected a share above 0/],
  [['replay', '--count', '1', '--share', '5%'], 2, /one of them/],
  [['replay', '--count', '1', '--source', 'nobody'], 5, /there is no source "nobody"/],
  [['replay', 'show', '99'], 6, /there is no replay 99/],
  [['replay', 'plan', '--reread'], 2, /state --daily too/],
] as const) {
  test(`docket ${args.join(' ')} ends with ${String(code)} and says why`, async () => {
    const ended = await home.docket([...args]);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, words);
  });
}

test('a share is rounded up, and nothing is claimed that was not checked', () => {
  const counts = {
    population: 2000,
    sample: 1200,
    passed: 1149,
    failed: 0,
    unchecked: 51,
    waiting: 0,
    reread: 0,
  };
  assert.equal(
    replayStatement({ ...counts, is_reread: false, bad_share_at_most: 0.003_999_93 }),
    '1149 of 1200 documents were checked: 1149 passed, 0 failed. 51 could not be looked at, which says nothing of them. With 99 % confidence fewer than 0.4 % of 2000 documents are bad.',
  );
  const said = (share: number) => replayStatement({ ...counts, is_reread: false, bad_share_at_most: share });
  assert.match(said(0.022_761), /fewer than 2\.3 % of/);
  assert.match(said(0.226_1), /fewer than 23 % of/);
  assert.match(said(0.999_9), /fewer than 100 % of/);
  assert.match(said(0.000_004_6), /fewer than 0\.00046 % of/);
});
