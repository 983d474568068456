import type pg from 'pg';

/** A connection inside a transaction that cannot write, and acts for somebody. */
export type Reader = Pick<pg.ClientBase, 'query'>;

/**
 * Reads in one transaction with settings that hold in it alone: the role to act as and the claims of a token. Nothing of
 * them is left on the connection afterwards.
 */
export async function readAs<T>(
  pool: pg.Pool,
  settings: Readonly<Record<string, string>>,
  read: (reader: Reader) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: unknown;
  try {
    await beginReading(client, settings);
    const result = await read(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => (broken = failure));
    throw error;
  } finally {
    client.release(broken !== undefined);
  }
}

/** Begins a transaction that cannot write, with settings that hold in it alone. */
export async function beginReading(
  client: Reader,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await client.query('begin read only');
  await client.query('select set_config(key, value, true) from json_each_text($1)', [
    JSON.stringify(settings),
  ]);
}
