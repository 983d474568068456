import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyBackupFindings } from '../../../src/cli/doctor/key-backup.ts';
import { backupNotes, noteBackup, notedBackups } from '../../../src/sealing/key-backups.ts';
import { addKey, backUpKeyFile, makeKeyFile } from '../../../src/sealing/key-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));
const keyFile = join(folder, 'object-keys.json');
const found = async () =>
  (await keyBackupFindings({ keyFile, recoveryKey: undefined })).map(({ severity, what }) => [
    severity,
    what.replaceAll(folder, 'F'),
  ]);

/** As docket key backup does. */
async function backUp(name: string): Promise<string> {
  const file = join(folder, name);
  await noteBackup(keyFile, { file, keys: await backUpKeyFile(keyFile, file) });
  return file;
}

test('without a key file there is nothing to copy; with one and no known copy there is a problem', async () => {
  assert.deepEqual(await found(), []);
  await makeKeyFile(keyFile);
  assert.deepEqual(await found(), [['problem', 'no copy of F/object-keys.json is known']]);
  const [finding] = await keyBackupFindings({ keyFile, recoveryKey: '/public.pem' });
  assert.equal(finding!.severity, 'warning', 'a recovery key opens the scans too');
});

test('a copy beside the keys is better than none, and one that is away is as it should be', async () => {
  const copy = await backUp('copy-1.json');
  assert.deepEqual(await found(), [
    [
      'warning',
      'the only known copy of the key file with all of its keys, F/copy-1.json, is on the same disk',
    ],
  ]);
  await rename(copy, `${copy}.away`);
  const [[severity, what]] = (await found()) as [[string, string]];
  assert.equal(severity, 'note');
  assert.match(what, /is not within reach at F\/copy-1\.json, as it should be$/);
  await rename(`${copy}.away`, copy);
});

test('after a rotation the copy lacks the current key, until another is made', async () => {
  const { id } = await addKey(keyFile);
  const [[severity, what]] = (await found()) as [[string, string]];
  assert.equal(severity, 'problem');
  assert.ok(what.startsWith(`the current key, ${id}, is in no copy of F/object-keys.json; `), what);
  await backUp('copy-2.json');
  assert.deepEqual(
    (await found()).map(([of]) => of),
    ['warning'],
  );
});

test('a copy within reach that no longer opens what the key file does is a problem', async () => {
  await writeFile(join(folder, 'copy-2.json'), '{}');
  assert.deepEqual(await found(), [
    ['problem', 'the copy of the key file at F/copy-2.json cannot be read, or no longer has its keys'],
  ]);
});

test('the notes hold ids and no keys, are for their owner alone, and survive a line that was cut off', async () => {
  const notes = backupNotes(keyFile);
  assert.equal((await stat(notes)).mode & 0o777, 0o600);
  const before = await notedBackups(keyFile);
  assert.deepEqual(
    before.map(({ keys }) => keys.length),
    [1, 2],
  );
  await writeFile(notes, '{"at":"2026-', { flag: 'a' });
  assert.deepEqual(await notedBackups(keyFile), before);
});
