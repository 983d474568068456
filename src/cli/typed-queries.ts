import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '../db/rows.ts';

/** Typed queries over connections that something else closes. */
export function typedQueries(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
