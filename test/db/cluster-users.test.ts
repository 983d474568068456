import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { blockingFolder } from '../../src/db/cluster/server-user.ts';
import { createLog } from '../../src/log.ts';
import { temporaryDataDir } from './cluster-folder.ts';
import { startClusterProgram } from './start-cluster-program.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The user `nobody` of Debian. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const log = createLog({ level: 'silent' });
const settings = { fsync: 'off' };
const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? false : 'needs root, to act as several users';
const closedToOthers = blockingFolder(ROOT, NOBODY);
const needsOpenSources =
  needsRoot || (closedToOthers ? `other users may not enter ${closedToOthers}` : false);

const ownerOfProcess = (pid: number) => statSync(`/proc/${String(pid)}`).uid;

test('as root the server runs as another user, who owns its data', { skip: needsRoot }, async () => {
  const cluster = await openCluster({ dataDir: temporaryDataDir(), log, settings });
  const uid = ownerOfProcess(readPostmasterFile(cluster.dataDir)?.pid ?? 0);
  assert.notEqual(uid, 0);
  assert.equal(statSync(cluster.dataDir).uid, uid);
  assert.equal(statSync(join(cluster.dataDir, 'PG_VERSION')).uid, uid);
  await cluster.stop();
});

test('a normal user runs the server as itself', { skip: needsOpenSources }, async () => {
  const dataDir = temporaryDataDir();
  chownSync(dirname(dataDir), NOBODY.uid, NOBODY.gid);
  const program = await startClusterProgram(dataDir, NOBODY);
  assert.equal(ownerOfProcess(readPostmasterFile(dataDir)?.pid ?? 0), NOBODY.uid);
  assert.equal(statSync(dataDir).uid, NOBODY.uid);
  assert.equal(await program.end(), 'stopped');
});

test('root runs the server of a normal user as that user', { skip: needsOpenSources }, async () => {
  const dataDir = temporaryDataDir();
  chownSync(dirname(dataDir), NOBODY.uid, NOBODY.gid);
  const program = await startClusterProgram(dataDir, NOBODY);
  await program.end();
  const cluster = await openCluster({ dataDir, log, settings });
  assert.equal(ownerOfProcess(readPostmasterFile(dataDir)?.pid ?? 0), NOBODY.uid);
  await cluster.stop();
});

test("another user's data folder is refused by name", { skip: needsOpenSources }, async () => {
  const dataDir = temporaryDataDir();
  const cluster = await openCluster({ dataDir, log, settings });
  await cluster.stop();
  await assert.rejects(startClusterProgram(dataDir, NOBODY), /CLUSTER_FOLDER_DENIED/);
});

test(
  'as root, data below a folder closed to others go elsewhere, and are found there again',
  { skip: needsRoot },
  async () => {
    const asked = temporaryDataDir(join('closed', 'data'));
    mkdirSync(dirname(asked), { mode: 0o700 });
    const first = await openCluster({ dataDir: asked, log, settings });
    after(() => rmSync(dirname(first.dataDir), { recursive: true, force: true }));
    assert.equal(readFileSync(`${asked}.location`, 'utf8').trim(), first.dataDir);
    await first.stop();
    const second = await openCluster({ dataDir: asked, log, settings });
    assert.equal(second.dataDir, first.dataDir);
    await second.stop();
  },
);

test(
  'as root, data that became unreachable are not silently replaced by new ones',
  { skip: needsRoot },
  async () => {
    const dataDir = temporaryDataDir();
    const cluster = await openCluster({ dataDir, log, settings });
    await cluster.stop();
    chmodSync(dirname(dataDir), 0o700);
    await assert.rejects(openCluster({ dataDir, log, settings }), {
      code: 'CLUSTER_FOLDER_UNREACHABLE',
      message: `Postgres may not enter ${dirname(dataDir)}, so it cannot use ${dataDir}.`,
    });
    assert.ok(existsSync(dataDir));
  },
);
