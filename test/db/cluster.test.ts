import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { openCluster, type Cluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { createLog } from '../../src/log.ts';
import { temporaryDataDir } from './cluster-folder.ts';

const log = createLog({ level: 'error' });
const settings = { fsync: 'off' };

/** One value of one row, over a connection of its own. */
async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

const processOf = (cluster: Cluster) => readPostmasterFile(cluster.dataDir)?.pid;

test('a folder that does not exist becomes a running server with a database named docket', async () => {
  const cluster = await openCluster({ dataDir: temporaryDataDir(), log, settings });
  assert.equal(cluster.adopted, false);
  assert.equal(cluster.alive(), true);
  const url = cluster.url('postgres');
  assert.equal(await ask(url, 'select current_database()'), 'docket');
  assert.equal(await ask(url, 'show server_encoding'), 'UTF8');
  assert.equal(
    await ask(url, `select datlocale from pg_database where datname = current_database()`),
    'C.UTF-8',
  );
  assert.equal(await ask(url, 'show data_checksums'), 'on');

  // It listens nowhere but in a folder that only its owner may enter.
  assert.equal(await ask(url, 'show listen_addresses'), '');
  const folder = statSync(cluster.socketDir);
  assert.equal(folder.mode & 0o777, 0o700);
  assert.equal(folder.uid, statSync(cluster.dataDir).uid);

  assert.equal(await cluster.stop(), 'stopped');
  assert.equal(cluster.alive(), false);
  await assert.rejects(cluster.ensureRunning(), { code: 'CLUSTER_CLOSED' });
});

test('with a port the server also listens on the loopback address, where roles need their password', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const cluster = await openCluster({ dataDir: temporaryDataDir(), log, settings, port });
  await ask(cluster.url('postgres'), `create role visitor login password 'let me in'`);
  assert.equal(cluster.port, port);
  assert.equal(
    await ask(`postgres://visitor:let%20me%20in@127.0.0.1:${String(port)}/docket`, 'select session_user'),
    'visitor',
  );
  await assert.rejects(ask(`postgres://visitor:wrong@127.0.0.1:${String(port)}/docket`, 'select 1'), {
    code: '28P01',
  });
  assert.equal(await ask(cluster.url('visitor'), 'select session_user'), 'visitor');
  await cluster.stop();
});

test('data are still there after a stop and a start, for the same major version only', async () => {
  const dataDir = temporaryDataDir();
  const first = await openCluster({ dataDir, log, settings });
  await ask(first.url('postgres'), 'create table kept as select 42 as answer');
  await first.stop();
  const second = await openCluster({ dataDir, log, settings });
  assert.equal(second.adopted, false);
  assert.equal(await ask(second.url('postgres'), 'select answer from kept'), 42);
  await second.stop();
  await assert.rejects(openCluster({ dataDir, log, settings, major: 17 }), {
    code: 'CLUSTER_VERSION',
    message: `${dataDir} belongs to Postgres 18, not 17.`,
  });
});

test('opening a cluster whose server runs adopts that server, by whatever path', async () => {
  const dataDir = temporaryDataDir();
  const first = await openCluster({ dataDir, log, settings });
  const link = `${dataDir}-link`;
  symlinkSync(dataDir, link);
  for (const path of [dataDir, link]) {
    const other = await openCluster({ dataDir: path, log, settings });
    assert.equal(other.adopted, true);
    assert.equal(other.dataDir, dataDir);
    assert.equal(processOf(other), processOf(first));
    assert.equal(other.url('postgres'), first.url('postgres'));
  }
  await first.stop();
});

test('of many that open the same new folder at the same time exactly one starts the server', async () => {
  const dataDir = temporaryDataDir();
  const clusters = await Promise.all(
    Array.from({ length: 3 }, () => openCluster({ dataDir, log, settings })),
  );
  assert.equal(clusters.filter((cluster) => !cluster.adopted).length, 1);
  assert.equal(new Set(clusters.map(processOf)).size, 1);
  await clusters[0]?.stop();
});

test('stop leaves a server alone that another client is connected to, until it is gone', async () => {
  const cluster = await openCluster({ dataDir: temporaryDataDir(), log, settings });
  const other = new pg.Client({ connectionString: cluster.url('postgres') });
  await other.connect();
  assert.equal(await cluster.stop(), 'in use');
  assert.equal(cluster.alive(), true);
  // Whoever comes and goes meanwhile sees at once that somebody was there before.
  const passing = await openCluster({ dataDir: cluster.dataDir, log, settings });
  assert.equal(await passing.stop(), 'in use');
  await other.end();
  assert.equal(await cluster.stop(), 'stopped');
});

test('a folder with something else in it is refused and left alone', async () => {
  const dataDir = temporaryDataDir();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'letter.txt'), 'mine');
  await assert.rejects(openCluster({ dataDir, log, settings }), {
    code: 'CLUSTER_INIT_FAILED',
    message: `The new data folder could not be named ${dataDir}.`,
  });
  assert.deepEqual(readdirSync(dataDir), ['letter.txt']);
  assert.deepEqual(
    readdirSync(dirname(dataDir)).filter((name) => name.startsWith('data')),
    ['data'],
  );
});

test('a start that cannot succeed fails at once and shows what the server said', async () => {
  const dataDir = temporaryDataDir();
  const begun = performance.now();
  await assert.rejects(
    openCluster({ dataDir, log, settings: { ...settings, shared_buffers: 'a lot' } }),
    (error: never) => {
      const { code, hint } = error as { code: string; hint: string };
      assert.equal(code, 'CLUSTER_START_FAILED');
      assert.match(hint, /invalid value for parameter "shared_buffers": "a lot"/);
      return true;
    },
  );
  assert.ok(performance.now() - begun < 10_000);
  assert.match(readFileSync(`${dataDir}.log`, 'utf8'), /shared_buffers/);
});

test('a folder too deep for a socket path gets its socket in the temporary folder', async () => {
  const top = temporaryDataDir();
  mkdirSync(top, { mode: 0o755 });
  const dataDir = join(
    top,
    'a-folder-with-a-long-name'.repeat(4),
    "with 'quotes', commas and spaces",
    'data',
  );
  const cluster = await openCluster({ dataDir, log, settings });
  assert.ok(!cluster.socketDir.startsWith(top));
  assert.ok(Buffer.byteLength(join(cluster.socketDir, `.s.PGSQL.${String(cluster.port)}`)) < 100);
  assert.equal(await ask(cluster.url('postgres'), `select current_database()`), 'docket');
  await cluster.stop();
});
