import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { storeFolderFindings } from '../../../src/cli/doctor/store-folder.ts';
import { storePresence } from '../../../src/cli/store-presence.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));
const found = async (store = `file:${folder}`) =>
  (await storeFolderFindings(await storePresence({ store }))).map(({ severity, what }) => [
    severity,
    what.replaceAll(folder, 'F'),
  ]);
const NOTE = [
  'note',
  'the store file:F is a folder: nothing but the rights of its user protects a scan from removal',
];

test('a store without its marker is not there; with it, a folder is told for what it is', async () => {
  assert.deepEqual(await found(), [['problem', 'the store file:F is not there']]);
  await writeFile(join(folder, '.docket-store'), '');
  assert.deepEqual(await found(), [NOTE]);
  await unlink(join(folder, '.docket-store'));
  assert.deepEqual(await found(), [['problem', 'the store file:F is not there']]);
  await writeFile(join(folder, '.docket-store'), '');
});

test('a store that others may write to is a problem', async () => {
  await chmod(folder, 0o770);
  assert.deepEqual(await found(), [['problem', 'others may write to the store F'], NOTE]);
  await chmod(folder, 0o700);
});

test('a store in memory is a problem, and of a bucket nothing is said here', async () => {
  assert.deepEqual(await found('memory:'), [['problem', 'the store is memory:']]);
  assert.deepEqual(await found('s3://bucket'), []);
});
