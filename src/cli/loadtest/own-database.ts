import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { fromDatabase, DATABASE_DENIED } from '../../db/errors.ts';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** Both the database of a load test and the login that delivers in it have a name of this form. */
const PREFIX = 'docket_loadtest_';
const NAME = /^docket_loadtest_[0-9a-f]{12}$/;
/** Locks of this class, in the database beside which it lies, say that the load test of that name is alive. */
const LOCK_CLASS = 1_818_846_324;

/**
 * Makes an empty database beside the one that is open, has it used, and removes it with the login of its name, whatever happens.
 * What load tests left that were killed is removed before. Throws LOADTEST_DENIED where the login may not make databases.
 */
export async function withOwnDatabase<T>(
  owner: pg.Pool,
  log: Log,
  use: (name: string) => Promise<T>,
): Promise<T> {
  const keeper = await owner.connect();
  try {
    await removeLeftovers(keeper, log);
    const name = `${PREFIX}${randomBytes(6).toString('hex')}`;
    // Before it exists: from then on somebody else could take it for a leftover.
    await keeper.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, name]);
    try {
      await create(keeper, name);
      return await use(name);
    } finally {
      await remove(owner, name).catch((err: unknown) => {
        log.error({ err, database: name }, 'the database of the load test could not be removed');
      });
    }
  } finally {
    // Its session goes, and the lock with it.
    keeper.release(true);
  }
}

async function create(client: pg.PoolClient, name: string): Promise<void> {
  try {
    // With the language of the database beside it, as sorting takes its time too.
    const { rows } = await client.query<{ collation: string; characters: string }>(
      `select quote_literal(datcollate) as collation, quote_literal(datctype) as characters
       from pg_database where datname = current_database()`,
    );
    const [beside] = rows;
    await client.query(
      `create database ${name} template template0 encoding 'UTF8'
       ${beside ? `lc_collate ${beside.collation} lc_ctype ${beside.characters}` : ''}`,
    );
  } catch (error) {
    if (fromDatabase(error).code !== DATABASE_DENIED) throw error;
    throw new DocketError('LOADTEST_DENIED', 'this login may not make a database of its own for the test', {
      cause: error,
      hint: 'alter role … createdb; or unset DOCKET_DATABASE_URL to use an embedded Postgres',
    });
  }
}

/** Databases of load tests that nobody keeps alive any more, each with its login. */
async function removeLeftovers(client: pg.PoolClient, log: Log): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname ~ $1 and pg_has_role(datdba, 'member')
     union select rolname from pg_roles where rolname ~ $1`,
    [NAME.source],
  );
  for (const { name } of rows) {
    const lock = [LOCK_CLASS, name];
    const tried = await client.query<{ is_dead: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as is_dead',
      lock,
    );
    if (tried.rows[0]?.is_dead !== true) continue;
    try {
      await remove(client, name);
      log.warn({ database: name }, 'removed what a load test that was killed had left');
    } catch (err) {
      log.warn({ err, database: name }, 'what a load test had left could not be removed');
    } finally {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', lock);
    }
  }
}

async function remove(client: pg.Pool | pg.PoolClient, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`drop role if exists ${name}`);
}
