import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { diskFindings, fillingFolders } from '../../../src/cli/doctor/free-disk.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { loadConfig } from '../../../src/config.ts';
import { inNamespace, skipWithoutNamespaces } from './in-a-namespace.ts';

const MIB = 1024 ** 2;
const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));
const disk = (options: string) => `mount -t tmpfs -o ${options} tmpfs ${folder}`;

test(
  'a disk that is full is a problem, with how much is free and needed',
  { skip: skipWithoutNamespaces },
  () => {
    const fill = `${disk('size=8m')}\ndd if=/dev/zero of=${folder}/fill bs=1M status=none 2> /dev/null || true`;
    const [finding, ...others] = inNamespace(fill, 'say-disk.ts', [folder, String(4 * MIB)]) as Finding[];
    assert.deepEqual(others, []);
    assert.equal(finding!.severity, 'problem');
    assert.equal(finding!.what, `${folder}, a place of tests, has 0 MiB of 8 MiB free, and 4 MiB are needed`);
    assert.equal(finding!.consequence, 'the test says so');
  },
);

test(
  'a disk that is nearly full is a warning, and one with room has no finding',
  { skip: skipWithoutNamespaces },
  () => {
    const nearly = `${disk('size=64m')}\ndd if=/dev/zero of=${folder}/fill bs=1M count=60 status=none`;
    const found = inNamespace(nearly, 'say-disk.ts', [folder, String(MIB)]) as Finding[];
    assert.deepEqual(
      found.map(({ severity, what }) => [severity, what]),
      [['warning', `${folder}, a place of tests, has 4 MiB of 64 MiB free`]],
    );
    // One that takes scans for a while and gives them back needs no reserve beyond what it needs.
    assert.deepEqual(inNamespace(nearly, 'say-disk.ts', [folder, String(MIB), 'scans']), []);
    assert.deepEqual(inNamespace(disk('size=64m'), 'say-disk.ts', [folder, String(MIB)]), []);
  },
);

test(
  'a disk without room for another file is a problem, however many bytes are free',
  { skip: skipWithoutNamespaces },
  () => {
    const files = `${disk('size=64m,nr_inodes=100')}\nfor i in $(seq 99); do : > ${folder}/$i; done`;
    const [finding] = inNamespace(files, 'say-disk.ts', [folder, String(MIB)]) as Finding[];
    assert.equal(finding!.severity, 'problem');
    assert.equal(finding!.what, `${folder}, a place of tests, has room for 0 of 100 files`);
  },
);

test('a folder that will be made is judged by the disk that it will be on', async () => {
  const filling = { meaning: 'm', ifFull: 'f', needed: Number.MAX_SAFE_INTEGER, isForPlainScans: false };
  const [finding] = await diskFindings({ ...filling, folder: join(folder, 'not/made/yet') });
  assert.equal(finding!.severity, 'problem');
});

test('the store and the database are looked at where they are on this host', () => {
  const places = (environment: Record<string, string>) =>
    fillingFolders(loadConfig({ DOCKET_DATA_DIR: '/d', DOCKET_TEMP_DIR: '/t', ...environment })).map(
      (one) => one.folder,
    );
  assert.deepEqual(places({}), ['/t', '/d/objects', '/d/postgres', '/d']);
  assert.deepEqual(
    places({
      DOCKET_STORE: 's3://bucket',
      DOCKET_DATABASE_URL: 'postgres://me@elsewhere/docket',
      DOCKET_CHECKPOINT_FILE: '/c/checkpoints',
    }),
    ['/t', '/c'],
  );
});
