import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { eventually } from '../support/eventually.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

let home: CliHome;
let stack: Running;
let port = 0;

before(async () => {
  port = await freePort();
  home = await CliHome.make({ DOCKET_PG_PORT: String(port) });
  stack = await home.start(['up']);
});
after(() => home.remove());

const postmaster = () => readPostmasterFile(join(home.folder, 'data/postgres'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

async function deliverOverNetwork(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ job_id: string }>(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
       values ('carrier-a', sha256('a scan'), 'file:nowhere', 6, 'image/png', now()) returning job_id`,
    );
    return rows[0]!.job_id;
  } finally {
    await client.end();
  }
}

test('a sender comes over the network with the password it was given, until that is rotated', async () => {
  const source = ['carrier-a', '--login', 'carrier_a'];
  const added = await home.json<{ url: string; password: string }>(['source', 'add', ...source]);
  assert.ok(added.url.includes(`:${added.password}@127.0.0.1:${port}/`));
  assert.match(await deliverOverNetwork(added.url), /^[0-9a-f-]{36}$/);

  const rotated = await home.json<{ url: string; password: string }>(['source', 'rotate', ...source]);
  assert.notEqual(rotated.password, added.password);
  await assert.rejects(deliverOverNetwork(added.url), { code: '28P01' });
  await deliverOverNetwork(rotated.url);
});

test('a login that is made for a sender cannot hold a transaction open for long', async () => {
  const { url } = await home.json<{ url: string }>(['source', 'add', 'carrier-b', '--login', 'carrier_b']);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ idle: string; statement: string }>(
    `select current_setting('idle_in_transaction_session_timeout') as idle, current_setting('statement_timeout') as statement`,
  );
  await client.end();
  assert.deepEqual(rows, [{ idle: '1min', statement: '1min' }]);
});

test('a worker beside the stack takes part and leaves when told to', async () => {
  const worker = await home.start(['worker']);
  assert.equal(worker.first['state'], 'ready');
  assert.equal((await home.json<{ workers: number }>(['status'])).workers, 2);
  assert.equal(await worker.stop(), 0);
  assert.equal((await home.json<{ workers: number }>(['status'])).workers, 1);
});

test('a worker needs no more than its own two logins and the keys of the others, and touches no embedded database', async () => {
  const server = postmaster()!;
  const url = (login: string) =>
    `postgres://${login}@/docket?host=${encodeURIComponent(server.socketDir)}&port=${server.port}`;
  const logins = {
    DOCKET_DATA_DIR: join(home.folder, 'elsewhere'),
    DOCKET_WORKER_URL: url('docket_worker'),
    DOCKET_QUEUE_URL: url('docket_queue'),
  };
  const { error } = await home.json<{ error: { code: string } }>(['worker'], 3, logins);
  assert.equal(error.code, 'CONFIG_KEY_FILE_MISSING', 'it would make keys of its own');
  const worker = await home.start(['worker'], {
    ...logins,
    DOCKET_KEY_FILE: join(home.folder, 'data/object-keys.json'),
  });
  assert.equal((await home.json<{ workers: number }>(['status'])).workers, 2);
  assert.equal(existsSync(join(home.folder, 'elsewhere')), false);
  assert.equal(await worker.stop(), 0);
});

test('the stack starts a killed server again, and its worker goes on', async () => {
  const killed = postmaster()!.pid;
  process.kill(killed, 'SIGKILL');
  await eventually(
    'another server is ready',
    () => {
      const now = postmaster();
      return now !== undefined && now.pid !== killed && now.status === 'ready';
    },
    { withinMs: 30_000 },
  );
  const scan = CliHome.corpus('17-cut-short.jpg');
  const { documents } = await home.json<{ documents: { state: string; code: string }[] }>(
    ['submit', scan, '--wait'],
    7,
  );
  assert.deepEqual([documents[0]?.state, documents[0]?.code], ['quarantined', 'TRUNCATED']);
});

test('the stack ends cleanly on SIGTERM, and takes its server with it', async () => {
  assert.equal(await stack.stop(), 0);
  assert.equal(postmaster(), undefined, 'a server that stopped cleanly has taken its file away');
});

test('a command starts the server of a stack that is down, for as long as it takes', async () => {
  const { deliveries, workers } = await home.json<{ deliveries: number; workers: number }>(['status']);
  assert.deepEqual([deliveries, workers], [3, 0]);
  assert.equal(postmaster(), undefined);
});
