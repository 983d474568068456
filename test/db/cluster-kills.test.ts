import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCluster, type Cluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { askSuperuser } from '../../src/db/cluster/superuser.ts';
import { superviseCluster } from '../../src/db/cluster/supervise.ts';
import { createLog } from '../../src/log.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDataDir } from './cluster-folder.ts';
import { startClusterProgram } from './start-cluster-program.ts';

const log = createLog({ level: 'silent' });
const settings = { fsync: 'off' };

const serverOf = (dataDir: string) => readPostmasterFile(dataDir)?.pid ?? 0;
const answers = async (cluster: Cluster) =>
  (await askSuperuser<{ one: number }>(cluster, 'select 1 as one'))[0]?.one === 1;
/** No process has this number. */
const NOBODY = 4_194_303;

test('a supervised server that is killed is started again and still has its data', async () => {
  const dataDir = temporaryDataDir();
  const cluster = await openCluster({ dataDir, log, settings });
  const endSupervision = superviseCluster(cluster, log);
  await askSuperuser(cluster, 'create table kept as select 42 as answer');
  for (let round = 0; round < 3; round += 1) {
    const before = serverOf(dataDir);
    process.kill(before, 'SIGKILL');
    await eventually(
      'another server has taken over',
      () => cluster.alive() && serverOf(dataDir) !== before && answers(cluster),
    );
  }
  const kept = await askSuperuser<{ answer: number }>(cluster, 'select answer from kept');
  assert.equal(kept[0]?.answer, 42);
  await endSupervision();
  assert.equal(await cluster.stop(), 'stopped');
});

test('an adopted server is supervised too', async () => {
  const dataDir = temporaryDataDir();
  const first = await startClusterProgram(dataDir);
  await first.kill();
  const cluster = await openCluster({ dataDir, log, settings });
  assert.equal(cluster.adopted, true);
  const endSupervision = superviseCluster(cluster, log);
  const before = serverOf(dataDir);
  process.kill(before, 'SIGKILL');
  await eventually(
    'another server has taken over',
    () => cluster.alive() && serverOf(dataDir) !== before && answers(cluster),
  );
  await endSupervision();
  await cluster.stop();
});

test('a server outlives the program that started it, and the next program adopts it', async () => {
  const dataDir = temporaryDataDir();
  const first = await startClusterProgram(dataDir);
  const server = serverOf(dataDir);
  await first.kill();
  const second = await startClusterProgram(dataDir);
  assert.equal(second.opened.adopted, true);
  assert.equal(second.opened.url, first.opened.url);
  assert.equal(serverOf(dataDir), server);
  assert.equal(await second.end(), 'stopped');
  assert.equal(existsSync(join(dataDir, 'postmaster.pid')), false);
});

test('after both were killed the next program starts a server, however busy the old one was', async () => {
  const dataDir = temporaryDataDir();
  const first = await startClusterProgram(dataDir);
  const server = serverOf(dataDir);
  const address = { socketDir: first.opened.socketDir, port: 5432 };
  // This backend does not look up for a while, so it outlives its killed postmaster.
  const busy = askSuperuser(address, `select count(*) from generate_series(1, 6000000)`).catch(
    () => undefined,
  );
  await eventually('the backend is at work', async () => {
    const active = await askSuperuser(
      address,
      `select from pg_stat_activity where query like 'select count%' and state = 'active'`,
    );
    return active.length > 0;
  });
  await first.kill();
  process.kill(server, 'SIGKILL');
  const second = await startClusterProgram(dataDir);
  assert.equal(second.opened.adopted, false);
  assert.notEqual(serverOf(dataDir), server);
  await busy;
  assert.equal(await second.end(), 'stopped');
});

test('programs started at the same time share one server, and only the last one stops it', async () => {
  const dataDir = temporaryDataDir();
  const programs = await Promise.all([1, 2, 3].map(() => startClusterProgram(dataDir)));
  assert.equal(programs.filter(({ opened }) => !opened.adopted).length, 1);
  for (const program of programs) await program.kill();
  const cluster = await openCluster({ dataDir, log, settings });
  assert.equal(cluster.adopted, true);
  await cluster.stop();
});

test('a lock file whose process number belongs to an unrelated process does not keep the server from starting', async () => {
  const dataDir = temporaryDataDir();
  const first = await openCluster({ dataDir, log, settings });
  await first.stop();
  writeFileSync(
    join(dataDir, 'postmaster.pid'),
    `${String(process.ppid)}\n${dataDir}\n1700000000\n5432\n${first.socketDir}\n\n`,
  );
  const second = await openCluster({ dataDir, log, settings });
  assert.equal(await answers(second), true);
  await second.stop();
});

test('what a killed attempt to make a data folder left behind is removed', async () => {
  const dataDir = temporaryDataDir();
  const halfMade = `${dataDir}.new-${String(NOBODY)}-abc`;
  mkdirSync(join(halfMade, 'base'), { recursive: true });
  const cluster = await openCluster({ dataDir, log, settings });
  assert.equal(existsSync(halfMade), false);
  await cluster.stop();
});
