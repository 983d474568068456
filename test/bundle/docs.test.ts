// The commands of docs/bundle.md do what the page says, with nothing of Docket.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { BundleStage, read } from './bundle-stage.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/bundle.md'), 'utf8');
const byHand = page.slice(page.indexOf('## By hand'));
const blocks = [...byHand.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

const database = await createTestDatabase();
const stage = await BundleStage.open(database);
let folder = '';
let job = '';
let files: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dkt-by-hand-'));
  const { scan, ...made } = await stage.published();
  job = made.job;
  const bundle = await stage.bundle([job], { scan });
  files = [...(await read(bundle)).documents.get(job)!.files.keys()];
  await copyFile(bundle, join(folder, 'claim.tar'));
  await writeFile(join(folder, 'log.vkey'), `${stage.signer.verifierKey}\n`);
});
after(() => rm(folder, { recursive: true, force: true }));

function shell(script: string) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env });
}

const inFolder = (ending: RegExp) => files.filter((name) => ending.test(name)).length;

test('openssl verifies the checkpoint, finds every event in the log, and each file named by an event', () => {
  const [signature = '', inclusion = '', names = ''] = blocks.map((block) => shell(block).stdout);
  assert.match(signature, /Signature Verified Successfully/);
  assert.equal(inclusion.match(/^in the log: /gm)?.length, inFolder(/\.leaf$/));
  assert.doesNotMatch(inclusion, /NOT/);
  assert.equal(names.match(/^follows: /gm)?.length, inFolder(/\.leaf$/) - 1);
  // the scan is no file among those
  assert.equal(names.match(/^named: /gm)?.length, inFolder(/^(packets|reports|notes)\/|^result$/) + 1);
  assert.doesNotMatch(names, /NOT/);
});

test('by hand, too, what was altered is noticed', async () => {
  shell(blocks[0]!);
  await writeFile(join(folder, 'documents', job, 'result'), 'another text');
  shell(`printf x >> documents/${job}/events/2.leaf; sed -i 2s/^/1/ checkpoint`);
  const [signature = '', inclusion = '', names = ''] = blocks.map(
    (block) =>
      shell(block.replace('tar -xf claim.tar', '').replace('events/*.leaf; do', 'events/2.leaf; do')).stdout,
  );
  assert.match(inclusion, new RegExp(`NOT IN THE LOG: documents/${job}/events/2.leaf`));
  assert.match(names, new RegExp(`DOES NOT FOLLOW: documents/${job}/events/3.leaf`));
  assert.match(names, new RegExp(`NOT NAMED: documents/${job}/result`));
  assert.doesNotMatch(signature, /Verified Successfully/);
});
