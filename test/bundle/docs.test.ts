// The commands of docs/bundle.md do what the page says, with nothing of Docket.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pack } from 'tar-stream';
import { createTestDatabase } from '../support/database.ts';
import { reading, RereadStage } from '../sql/reread-stage.ts';
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
  const rereads = await RereadStage.around(stage.stage);
  assert.equal(await rereads.reread(job, { result: reading('Received in better order') }), 'superseded');
  const bundle = await stage.bundle([job], { scan });
  files = [...(await read(bundle)).documents.get(job)!.files.keys()];
  await copyFile(bundle, join(folder, 'claim.tar'));
  await writeFile(join(folder, 'log.vkey'), `${stage.signer.verifierKey}\n`);
});
after(() => rm(folder, { recursive: true, force: true }));

function shell(script: string, cwd = folder) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return spawnSync('sh', ['-c', script], { cwd, encoding: 'utf8', env });
}

/** What each block prints: the first is for the folder of the bundle, the others for where it goes. */
const output = (blocksOfAll: readonly string[]) =>
  blocksOfAll.map((block, at) => shell(block, at === 0 ? folder : join(folder, 'claim')).stdout);

const inFolder = (ending: RegExp) => files.filter((name) => ending.test(name)).length;

test('openssl verifies the checkpoint, finds every event in the log, and each file named by an event', () => {
  const [signature = '', inclusion = '', names = ''] = output(blocks);
  assert.match(signature, /Signature Verified Successfully/);
  assert.equal(inclusion.match(/^in the log: /gm)?.length, inFolder(/\.leaf$/));
  assert.doesNotMatch(inclusion, /NOT/);
  assert.equal(names.match(/^follows: /gm)?.length, inFolder(/\.leaf$/) - 1);
  // the scan is no file among those
  assert.equal(
    names.match(/^named: /gm)?.length,
    inFolder(/^(packets|reports|notes)\/|^result$|^results\/\d+$/) + 1,
  );
  assert.doesNotMatch(names, /NOT/);
});

test('by hand, too, what was altered is noticed', async () => {
  await rm(join(folder, 'claim'), { recursive: true, force: true });
  shell(blocks[0]!);
  const unpacked = join(folder, 'claim');
  await writeFile(join(unpacked, 'documents', job, 'result'), 'another text');
  shell(`printf x >> documents/${job}/events/2.leaf; sed -i 2s/^/1/ checkpoint`, unpacked);
  const [signature = '', inclusion = '', names = ''] = output(
    blocks.map((block) =>
      block.replace(/^tar .*$/m, 'cd claim').replace('events/*.leaf; do', 'events/2.leaf; do'),
    ),
  );
  assert.match(inclusion, new RegExp(`NOT IN THE LOG: documents/${job}/events/2.leaf`));
  assert.match(names, new RegExp(`DOES NOT FOLLOW: documents/${job}/events/3.leaf`));
  assert.match(names, new RegExp(`NOT NAMED: documents/${job}/result`));
  assert.doesNotMatch(signature, /Verified Successfully/);
});

test('by hand, too, a bundle brings no key of its own, and no links', async () => {
  const hostile = join(folder, 'hostile');
  await mkdir(hostile);
  await writeFile(join(hostile, 'log.vkey'), 'mine');
  const unpack = async (...[header, body]: Parameters<ReturnType<typeof pack>['entry']>) => {
    const archive = pack();
    archive.entry(header, body as string);
    archive.finalize();
    await pipeline(archive, createWriteStream(join(hostile, 'claim.tar')));
    return shell(blocks[0]!, hostile).stdout;
  };
  assert.match(await unpack({ name: 'key.der', type: 'symlink', linkname: '../log.vkey' }, ''), /key\.der/);
  assert.equal(existsSync(join(hostile, 'claim')), false);
  await unpack({ name: 'log.vkey' }, 'theirs');
  assert.equal(await readFile(join(hostile, 'log.vkey'), 'utf8'), 'mine');
  assert.equal(await readFile(join(hostile, 'claim', 'log.vkey'), 'utf8'), 'theirs');
});
