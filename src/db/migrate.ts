// Brings a database to the current truth: roles, queue, migrations, definitions. psql alone can do the same: sql/install.psql.
import { setTimeout as delay } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { appliedSql } from './applied-sql.ts';
import { checksumOf, readSqlFiles, type SqlFile, type SqlFiles } from './sql-files.ts';

/** Key of the session advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 1145655884;

/** Replaying definitions needs short locks on every table; a try gives up after this, so that senders never queue for long. */
const LOCK_TIMEOUT_MS = 500;
const PAUSE_MS = 1_000;
const PATIENCE_MS = 60_000;

/** SQLSTATEs that say that somebody else was in the way: lock_not_available, deadlock_detected. */
const IN_THE_WAY = new Set(['55P03', '40P01']);

/** What a migration did, and what it could not do. */
export interface MigrationReport {
  /** Names of the migration files that ran now, in order. */
  applied: string[];
  /** Hardening steps that are not in force in this database, each with its consequence. */
  limitations: { step: string; consequence: string }[];
}

async function runFile(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query('set local role docket_owner');
    await client.query(file.text);
  } catch (cause) {
    throw new DocketError('MIGRATION_FAILED', `sql/${file.name}: ${(cause as Error).message}`, { cause });
  }
}

async function runBootstrap(client: pg.Client, files: SqlFile[]): Promise<void> {
  await client.query('begin');
  try {
    for (const file of files) await client.query(file.text);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function runDueMigrations(client: pg.Client, files: SqlFile[]): Promise<string[]> {
  const applied: string[] = [];
  for (const file of files) {
    const { rows } = await client.query<{ due: boolean }>('select docket.migration_is_due($1, $2) as due', [
      file.name,
      file.sha256,
    ]);
    if (!rows[0]?.due) continue;
    await runFile(client, { ...file, name: `migrations/${file.name}` });
    await client.query('insert into docket.migrations (name, sha256) values ($1, $2)', [
      file.name,
      file.sha256,
    ]);
    applied.push(file.name);
  }
  return applied;
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const server = rows[0];
  if (!server || server.version < 160000) {
    throw new DocketError(
      'SERVER_TOO_OLD',
      `Postgres 16 or newer is needed, this server is ${server?.version}`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new DocketError(
      'SERVER_ENCODING',
      `the database must be encoded in UTF8, this one is ${server.encoding}`,
    );
  }
}

/** How to migrate. */
export interface MigrateOptions {
  /** A login that owns the database and has CREATEROLE, or a superuser. */
  connectionString: string;
  log?: Log;
  /** Does nothing, and takes no lock, when this very SQL was the last that was applied. */
  onlyIfChanged?: boolean;
  /** How long to wait for open transactions that are in the way, in milliseconds. Default one minute. */
  patienceMs?: number;
  /** Other SQL than that of this package, for tests. */
  files?: SqlFiles;
}

/**
 * Installs or updates Docket in a database. Idempotent; several processes may call it at once.
 * Migrations and definitions run in one transaction; the queue's own tables come before, in the transactions of its library.
 * @throws DocketError SERVER_TOO_OLD, SERVER_ENCODING, MIGRATION_FAILED, MIGRATION_BLOCKED; a pg error with SQLSTATE ZD050
 * for an edited migration.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  const files = options.files ?? (await readSqlFiles());
  const client = new pg.Client({
    connectionString: options.connectionString,
    application_name: 'docket migrate',
  });
  client.on('error', (error) => options.log?.warn({ err: error }, 'migration connection failed'));
  await client.connect();
  try {
    await checkServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const isWanted = !options.onlyIfChanged || !(await isApplied(client, checksumOf(files)));
    const applied = isWanted ? await apply(client, files, options) : [];
    await client.query('set role docket_owner');
    const { rows: limitations } = await client.query<MigrationReport['limitations'][number]>(
      'select step, consequence from docket.hardening_gaps()',
    );
    return { applied, limitations };
  } finally {
    await client.end();
  }
}

/** Whether this very SQL was the last that was applied to a database. The login must be able to become docket_owner. */
export async function isMigrated(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, application_name: 'docket' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await isApplied(client, checksumOf(await readSqlFiles()));
  } finally {
    await client.end();
  }
}

async function isApplied(client: pg.Client, checksum: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('docket.replays') is not null as is_there`,
  );
  if (!rows[0]?.is_there) return false;
  await client.query('set role docket_owner');
  const last = await appliedSql(client);
  await client.query('reset role');
  return last === checksum;
}

async function apply(client: pg.Client, files: SqlFiles, options: MigrateOptions): Promise<string[]> {
  const { connectionString, log, patienceMs = PATIENCE_MS } = options;
  await runBootstrap(client, files.bootstrap);
  await migrateQueue(connectionString);
  const givesUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      const applied = await applyOnce(client, files);
      await client.query('set role docket_door; analyze graphile_worker._private_jobs; reset role');
      return applied;
    } catch (cause) {
      if (!IN_THE_WAY.has(sqlstateOf(cause))) throw cause;
      if (performance.now() > givesUpAt) {
        throw new DocketError('MIGRATION_BLOCKED', 'an open transaction is in the way of the migration', {
          cause,
          hint: `end it: select pid, usename, xact_start, query from pg_stat_activity where xact_start < now() - interval '1 s'`,
        });
      }
      log?.info({ err: cause }, 'an open transaction is in the way of the migration; it tries again');
    }
    await delay(PAUSE_MS);
  }
}

/** Everything of Docket in one transaction: all of it, or nothing. */
async function applyOnce(client: pg.Client, files: SqlFiles): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(`set local role docket_owner; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const applied = await runDueMigrations(client, files.migrations);
    for (const file of files.definitions)
      await runFile(client, { ...file, name: `definitions/${file.name}` });
    await client.query('insert into docket.replays (sha256) values ($1)', [checksumOf(files)]);
    await client.query('commit');
    return applied;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

function sqlstateOf(error: unknown): string {
  const origin = error instanceof DocketError ? error.cause : error;
  return origin instanceof pg.DatabaseError ? (origin.code ?? '') : '';
}

async function migrateQueue(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c role=docket_door' });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}
