import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Cluster } from '../../../src/db/cluster/cluster.ts';
import { openCluster } from '../../../src/db/cluster/cluster.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { createLog } from '../../../src/log.ts';
import { testCluster } from '../../support/test-cluster.ts';
import { CliHome } from '../run-docket.ts';

// A server that asks for passwords, and a login without superuser: as where Docket is installed on a managed service.
const PASSWORD = 'a/b@c d';
const SCAN = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const run = ['loadtest', SCAN, '--minutes', '0.05', '--slots', '1'];

let home: CliHome;
let cluster: Cluster;
let settings: Record<string, string>;

before(async () => {
  home = await CliHome.make();
  const port = await freePort();
  cluster = await openCluster({
    dataDir: join(home.folder, 'server'),
    major: testCluster().major,
    port,
    settings: { fsync: 'off' },
    log: createLog({ level: 'error' }),
  });
  await asSuperuser(`create role admin login nosuperuser createrole nocreatedb password '${PASSWORD}'`);
  await asSuperuser('create database managed owner admin');
  settings = {
    DOCKET_DATABASE_URL: `postgres://admin:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/managed?sslmode=disable`,
  };
});
after(async () => {
  await cluster.stop({ evenIfInUse: true });
  await home.remove();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function asSuperuser<Row extends pg.QueryResultRow>(query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: cluster.url('postgres', 'postgres') });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

async function refused(): Promise<{ code: string; hint: string }> {
  const { stdout, stderr } = await home.docket([...run, '--json'], settings);
  const { error } = JSON.parse(stdout) as { error?: { code: string; hint: string } };
  assert.ok(error, stdout + stderr);
  return error;
}

test('it refuses a database that is not of this version, and a login that may make none', async () => {
  assert.equal((await refused()).code, 'DATABASE_NOT_MIGRATED');
  await migrate({ connectionString: settings['DOCKET_DATABASE_URL']! });
  const { code, hint } = await refused();
  assert.equal(code, 'LOADTEST_DENIED');
  assert.match(hint, /createdb/);
});

test('as a login that may, it works over the network and leaves the server as it was', async () => {
  const roles = 'select rolname, rolconfig from pg_roles order by 1';
  const members =
    'select roleid::regrole::text, member::regrole::text, inherit_option, set_option from pg_auth_members order by 1, 2, 3, 4';
  await asSuperuser('alter role admin createdb');
  const before = [await asSuperuser(roles), await asSuperuser(members)];
  const { levels } = await home.json<{ levels: { pages: number; database_cpu_seconds_per_page: null }[] }>(
    run,
    0,
    settings,
  );
  assert.ok(levels[0]!.pages > 0);
  assert.equal(levels[0]!.database_cpu_seconds_per_page, null, 'of a server elsewhere nothing is known');
  assert.deepEqual([await asSuperuser(roles), await asSuperuser(members)], before);
  const databases = await asSuperuser<{ datname: string }>('select datname from pg_database order by 1');
  assert.deepEqual(
    databases.map(({ datname }) => datname),
    ['docket', 'managed', 'postgres', 'template0', 'template1'],
  );
});
