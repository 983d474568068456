import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type pg from 'pg';
import { askSuperuser, socketUrl } from '../../src/db/cluster/superuser.ts';
import { createPool } from '../../src/db/pools.ts';
import { createLog } from '../../src/log.ts';
import { eventually } from './eventually.ts';
import { testCluster } from './test-cluster.ts';

/** A database of its own for one test file: migrated, empty, dropped in an after hook. */
export interface TestDatabase {
  readonly name: string;
  /** A connection string; the role is the superuser `postgres` unless named. Roles need no password. */
  url(role?: string): string;
  /** The pool of that role, made on first use and closed in the after hook; the same values types as in production. */
  pool(role?: string): pg.Pool;
  /** Has `cleanup` run before the database is dropped, the last one registered first. */
  beforeDrop(cleanup: () => Promise<unknown>): void;
  /** Closes the pools and drops the database; fails if anything is still connected. Runs by itself after the tests. */
  drop(): Promise<void>;
}

/** Connections a pool of a test may open. */
const POOL_SIZE = 10;

/**
 * Makes a copy of the migrated template, or an `empty` database for what tests the installation itself. Call it at the
 * top of a test file, one a file. Hooks run in the order they were registered, so the database is dropped before later
 * `after` hooks run: what uses it must end in `beforeDrop`.
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const cluster = testCluster();
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (empty) await askSuperuser(cluster, `create database ${name}`);
  else await clone(cluster.template, name);

  const log = createLog({ level: 'error' });
  const pools = new Map<string, pg.Pool>();
  const cleanups: (() => Promise<unknown>)[] = [];
  let dropped: Promise<void> | undefined;

  const database: TestDatabase = {
    name,
    url: (role = 'postgres') => socketUrl(cluster, role, name),
    pool(role = 'postgres') {
      const pool =
        pools.get(role) ?? createPool({ url: database.url(role), name: `test ${role}`, log, max: POOL_SIZE });
      pools.set(role, pool);
      return pool;
    },
    beforeDrop: (cleanup) => void cleanups.push(cleanup),
    drop: () => (dropped ??= dropDatabase()),
  };

  async function dropDatabase(): Promise<void> {
    for (const cleanup of cleanups.reverse()) await cleanup();
    await Promise.all([...pools.values()].filter((pool) => !pool.ended).map((pool) => pool.end()));
    const leak = await leakedConnections(name);
    await askSuperuser(cluster, `drop database ${name} with (force)`);
    if (leak) throw leak;
  }

  // A test that drops its database itself has seen the outcome.
  after(() => (dropped ? undefined : database.drop()));
  return database;
}

/** Copies a database with what `create database` leaves out: its settings and its own privileges. */
async function clone(template: string, name: string): Promise<void> {
  const cluster = testCluster();
  const [source] = await askSuperuser<{ owner: string }>(
    cluster,
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [template],
  );
  if (!source) throw new Error(`the template database ${template} is missing`);
  await askSuperuser(cluster, `create database ${name} template ${template} owner ${source.owner}`);
  await askSuperuser(
    cluster,
    `set allow_system_table_mods = on;
     update pg_database set datacl = (select datacl from pg_database where datname = '${template}') where datname = '${name}';
     insert into pg_db_role_setting
       select copy.oid, setrole, setconfig
       from pg_db_role_setting
       join pg_database source on source.oid = setdatabase and source.datname = '${template}'
       join pg_database copy on copy.datname = '${name}'`,
  );
}

/** An error naming the connections that stay open although the test's own pools are closed. */
async function leakedConnections(name: string): Promise<Error | undefined> {
  let open: { application_name: string; usename: string; query: string }[] = [];
  try {
    await eventually(
      'every connection of the test is closed',
      async () => {
        open = await askSuperuser(
          testCluster(),
          `select application_name, usename, left(query, 100) as query from pg_stat_activity
         where datname = $1 and backend_type = 'client backend'`,
          [name],
        );
        return open.length === 0;
      },
      { withinMs: 3_000, everyMs: 50 },
    );
    return undefined;
  } catch (cause) {
    const list = open.map((one) => `${one.application_name} as ${one.usename}: ${one.query}`).join('\n  ');
    return new Error(`the test leaked database connections:\n  ${list}`, { cause });
  }
}
