import type pg from 'pg';
import { beginAs, inTransaction } from './act-as.ts';

/** A connection inside a transaction that cannot write, and acts for somebody. */
export type Reader = Pick<pg.ClientBase, 'query'>;

/**
 * Reads in one transaction with settings that hold in it alone: the role to act as and the claims of a token. Nothing of
 * them is left on the connection afterwards.
 */
export function readAs<T>(
  pool: pg.Pool,
  settings: Readonly<Record<string, string>>,
  read: (reader: Reader) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, 'begin read only', settings, read);
}

/** Begins a transaction that cannot write, with settings that hold in it alone. */
export function beginReading(client: Reader, settings: Readonly<Record<string, string>>): Promise<void> {
  return beginAs(client, 'begin read only', settings);
}
