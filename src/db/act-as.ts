import type pg from 'pg';
import type { Queryable } from './commands.ts';

/**
 * A connection for commands that act for somebody: each is a transaction of its own, with settings that hold in it alone, the
 * role to act as and the claims of a token. Nothing of them is left on the pool's connections.
 */
export function actAs(pool: pg.Pool, settings: Readonly<Record<string, string>>): Queryable {
  return {
    query: (text, values) => inTransaction(pool, 'begin', settings, (client) => client.query(text, values)),
  };
}

/** Runs `use` in one transaction, begun by the statement given, with settings that hold in it alone. */
export async function inTransaction<T>(
  pool: pg.Pool,
  begin: 'begin' | 'begin read only',
  settings: Readonly<Record<string, string>>,
  use: (client: Pick<pg.ClientBase, 'query'>) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: unknown;
  try {
    await beginAs(client, begin, settings);
    const result = await use(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => (broken = failure));
    throw error;
  } finally {
    client.release(broken !== undefined);
  }
}

/** Begins a transaction with settings that hold in it alone. */
export async function beginAs(
  client: Pick<pg.ClientBase, 'query'>,
  begin: 'begin' | 'begin read only',
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await client.query(begin);
  await client.query('select set_config(key, value, true) from json_each_text($1)', [
    JSON.stringify(settings),
  ]);
}
