import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeLogKey } from '../../../src/checkpoints/log-key.ts';
import { secretFileFindings, secretFiles } from '../../../src/cli/doctor/secret-files.ts';
import { openLocalKey } from '../../../src/server/local-key.ts';
import { makeReceiptKeys } from '../../../src/receipts/key-file.ts';
import { makeKeyFile } from '../../../src/sealing/key-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));
const config = {
  keyFile: join(folder, 'object-keys.json'),
  logKeyFile: join(folder, 'log-key.pem'),
  receiptKeyFile: join(folder, 'receipt-keys.json'),
  kmsKey: undefined,
  dataDir: folder,
  tokenKeys: undefined,
};
const found = async (of: Parameters<typeof secretFiles>[0] = config) =>
  (await Promise.all(secretFiles(of).map(secretFileFindings))).flat();

test('key files that are not there are notes, and of scans none where KMS has the key', async () => {
  assert.deepEqual(
    (await found()).map(({ severity, consequence }) => [severity, consequence.split(',')[0]]),
    [
      ['note', 'nothing is sealed or read from here'],
      ['note', 'no worker of this host signs checkpoints'],
      ['note', 'no worker of this host issues receipts'],
    ],
  );
  assert.equal((await found({ ...config, kmsKey: 'arn:aws:kms:key' })).length, 2);
});

test('key files that are as the program makes them have no finding', async () => {
  await makeKeyFile(config.keyFile);
  await makeLogKey(config.logKeyFile);
  await makeReceiptKeys(config.receiptKeyFile);
  await openLocalKey(folder);
  assert.deepEqual(await found(), []);
});

test('a key that others may read is a problem, with the command that shuts it and the one that makes another', async () => {
  for (const [file, renew] of [
    [config.keyFile, 'docket key rotate'],
    [config.logKeyFile, 'docket checkpoint rotate'],
    [config.receiptKeyFile, 'docket receipt rotate'],
    [join(folder, 'token-key.json'), 'docket token'],
  ] as const) {
    await chmod(file, 0o640);
    const [finding, ...others] = await found();
    assert.deepEqual(others, []);
    assert.equal(finding!.severity, 'problem');
    assert.ok(finding!.what.startsWith(`others than its owner may read ${file}, `), finding!.what);
    assert.ok(finding!.remedy!.startsWith(`chmod 600 ${file}, `));
    assert.ok(finding!.remedy!.includes(renew));
    await chmod(file, 0o600);
  }
});

test('the key of tokens is not looked at where keys from outside are named', async () => {
  await chmod(join(folder, 'token-key.json'), 0o644);
  assert.deepEqual(await found({ ...config, tokenKeys: '/keys.json' }), []);
  assert.equal((await found()).length, 1);
  await chmod(join(folder, 'token-key.json'), 0o600);
});

test('a folder in which others may put another key is a problem, unless only owners may remove', async () => {
  await chmod(folder, 0o777);
  assert.deepEqual(
    (await found()).map(({ what }) => what.replace(folder, 'FOLDER')),
    [
      'others may write to FOLDER, where the key file of sealed scans lies',
      'others may write to FOLDER, where the key that signs checkpoints lies',
      'others may write to FOLDER, where the keys that sign receipts lie',
      'others may write to FOLDER, where the key that signs tokens lies',
    ],
  );
  await chmod(folder, 0o1777);
  assert.deepEqual(await found(), []);
  await chmod(folder, 0o700);
});

test('a key file that was damaged is a problem, told as the program would tell it', async () => {
  await writeFile(config.logKeyFile, 'not a key', { mode: 0o600 });
  const [finding, ...others] = await found();
  assert.deepEqual(others, []);
  assert.equal(finding!.severity, 'problem');
  assert.ok(finding!.what.includes(`${config.logKeyFile}, the key that signs checkpoints, cannot be used: `));
});
