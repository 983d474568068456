import type { ServerResponse } from 'node:http';
import type pg from 'pg';
import { appliedSql } from '../db/applied-sql.ts';
import { fromDatabase } from '../db/errors.ts';
import { readWithin } from '../db/read-within.ts';
import { checksumOf, readSqlFiles } from '../db/sql-files.ts';
import { within } from '../db/within.ts';
import { rarely } from './rarely.ts';

/** Where it is asked whether the process lives, and whether requests are best sent to it. */
export const ALIVE_PATH = '/healthz';
export const READY_PATH = '/readyz';

/** Says how the server is. Nobody is asked for a token, so nothing is told but that. */
export interface Health {
  /** The process lives. The database is not asked: starting the process anew would not help it. */
  answerAlive(response: ServerResponse): void;
  /** Whether the server can serve; else 503, and which check fails. */
  answerReady(response: ServerResponse): Promise<void>;
}

type State = 'ready' | 'stopping' | 'database unavailable' | 'other schema';

/** However often it is asked for, the database is asked once a second at most. */
const EVERY_MS = 1_000;
const READ_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 4_000;

const OK = 'ok';
/** What stands for a check that fails. */
const FAILS = {
  process: 'the server is stopping',
  database: 'it does not answer',
  schema: 'not that of this build: run docket migrate of this version, or start the server of the other',
} as const;
const NOT_KNOWN = 'not known';

/** @param expectedSchema Checksum of the SQL that the database should have; by default that of this package. */
export function createHealth(
  pool: pg.Pool,
  isStopping: () => boolean,
  expectedSchema: () => Promise<string> = packagedSchema(),
): Health {
  const look = rarely(EVERY_MS, async (): Promise<State> => {
    const expected = await expectedSchema();
    try {
      return (await installedSchema(pool)) === expected ? 'ready' : 'other schema';
    } catch (error) {
      return fromDatabase(error).code === 'DATABASE_NOT_MIGRATED' ? 'other schema' : 'database unavailable';
    }
  });

  return {
    answerAlive: (response) => send(response, 200, { state: 'alive' }),
    async answerReady(response) {
      const seen = await within(ANSWER_WITHIN_MS, look()).catch((): State => 'database unavailable');
      const state: State = isStopping() ? 'stopping' : seen;
      const checks = {
        process: state === 'stopping' ? FAILS.process : OK,
        database: seen === 'database unavailable' ? FAILS.database : OK,
        schema: seen === 'database unavailable' ? NOT_KNOWN : seen === 'other schema' ? FAILS.schema : OK,
      };
      send(response, state === 'ready' ? 200 : 503, { state, checks });
    },
  };
}

function installedSchema(pool: pg.Pool): Promise<string | undefined> {
  return readWithin(pool, { role: 'docket_auditor' }, READ_WITHIN_MS, appliedSql);
}

/** The checksum of the SQL of this package, read once. */
function packagedSchema(): () => Promise<string> {
  let read: Promise<string> | undefined;
  return () => (read ??= readSqlFiles().then(checksumOf));
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
}
