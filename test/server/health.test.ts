import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { createHealth } from '../../src/server/health.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { testCluster } from '../support/test-cluster.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
const db = database.pool();
const proxy = await startDatabaseProxy(testCluster());
database.beforeDrop(() => proxy.stop());
let server: ServerFixture;

before(async () => {
  server = await serve(database, { gatewayUrl: socketUrl(proxy, 'docket_gateway', database.name) });
});

interface Readiness {
  state: string;
  checks: Record<'process' | 'database' | 'schema', string>;
}

async function ready(): Promise<[status: number, answer: Readiness]> {
  const response = await fetch(`${server.url}/readyz`);
  return [response.status, (await response.json()) as Readiness];
}

/** Waits until the server says that; it remembers an answer for a second. */
async function saysReady(state: string): Promise<[status: number, answer: Readiness]> {
  return eventually(`the server says ${state}`, async () => {
    const said = await ready();
    return said[1].state === state && said;
  });
}

async function assertAlive(): Promise<void> {
  const response = await fetch(`${server.url}/healthz`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { state: 'alive' });
}

const OK = { process: 'ok', database: 'ok', schema: 'ok' };

test('a server whose database answers, with the schema of its build, is ready, and asks nobody for a token', async () => {
  const [status, answer] = await ready();
  assert.equal(status, 200);
  assert.deepEqual(answer, { state: 'ready', checks: OK });
  await assertAlive();
});

test('a database that other SQL was applied to is told apart from one that does not answer', async () => {
  const { rows } = await db.query<{ replay_id: string }>(
    `insert into docket.replays (sha256) values (repeat('0', 64)) returning replay_id`,
  );
  const [status, { checks }] = await saysReady('other schema');
  assert.equal(status, 503);
  assert.deepEqual(
    { ...checks, schema: '' },
    { process: 'ok', database: 'ok', schema: '' },
    'the other checks hold',
  );
  assert.match(checks.schema, /docket migrate/);
  await assertAlive();
  await db.query('delete from docket.replays where replay_id = $1', [rows[0]!.replay_id]);
  await saysReady('ready');
});

test('a server without its database is not ready, but lives, and is ready again by itself', async () => {
  proxy.pointTo({ socketDir: '/nowhere', port: 1 });
  const [status, { checks }] = await saysReady('database unavailable');
  assert.equal(status, 503);
  assert.deepEqual(checks, { process: 'ok', database: 'it does not answer', schema: 'not known' });
  await assertAlive();
  proxy.pointTo(testCluster());
  assert.deepEqual(await saysReady('ready'), [200, { state: 'ready', checks: OK }]);
});

test('where the network swallows what is asked, an answer comes all the same, and it is over when the network is back', async () => {
  await saysReady('ready');
  proxy.freeze();
  const [status] = await saysReady('database unavailable');
  assert.equal(status, 503);
  await assertAlive();
  const bearer = { role: 'operator', sources: ['*'] };
  assert.equal((await server.get(bearer, '/metrics')).status, 503);
  proxy.pointTo(testCluster());
  await saysReady('ready');
  await eventually('there are metrics', async () => (await server.get(bearer, '/metrics')).status === 200);
});

test('a server that stops is not ready, though its database answers', async () => {
  const health = createHealth(database.pool('docket_gateway'), () => true);
  const stopping = createServer((_request, response) => void health.answerReady(response));
  stopping.listen(0, '127.0.0.1');
  await once(stopping, 'listening');
  const { port } = stopping.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), {
    state: 'stopping',
    checks: { ...OK, process: 'the server is stopping' },
  });
  stopping.close();
});
