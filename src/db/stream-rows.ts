import type pg from 'pg';
import { beginReading } from './read-as.ts';

/** A question whose answer may be longer than what fits into memory. */
export interface RowQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Settings of its transaction, by their Postgres names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Gives the question up: the connection is closed, whereupon the server ends the statement within a second. */
  readonly signal: AbortSignal;
}

type Row = Record<string, unknown>;

const ROWS_A_FETCH = 500;

/** The server looks this often whether the connection of a running statement is still there. */
const LOOK_FOR_CLIENT = '1s';

/**
 * Asks in a read-only transaction of its own and has `use` read the rows as they come: one fetch of them is in memory, and
 * the next one is asked for when all of it was taken. Between fetches the transaction is idle, so that both of Postgres's
 * time limits hold: for a statement, and for a reader that pauses. Rejects with what the database, `use` or the signal says.
 */
export async function streamRows(
  pool: pg.Pool,
  { text, values, settings, signal }: RowQuery,
  use: (rows: AsyncIterableIterator<Row>) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let isHeld = true;
  function release(isSpoilt: boolean): void {
    if (isHeld) client.release(isSpoilt);
    isHeld = false;
    signal.removeEventListener('abort', giveUp);
  }
  const giveUp = () => release(true);
  signal.addEventListener('abort', giveUp);
  try {
    signal.throwIfAborted();
    await beginReading(client, { ...settings, client_connection_check_interval: LOOK_FOR_CLIENT });
    await client.query(`declare stream no scroll cursor for ${text}`, [...values]);
    await use(fetchAll(client));
    await client.query('commit');
    release(false);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    release(true);
  }
}

async function* fetchAll(client: pg.PoolClient): AsyncGenerator<Row> {
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${ROWS_A_FETCH} from stream`);
    yield* rows;
    if (rows.length < ROWS_A_FETCH) return;
  }
}
