// Brings a database to the current truth: roles, queue, migrations, definitions. psql alone can do the same: sql/install.psql.
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import { DocketError } from '../errors.ts';
import { readSqlFiles, type SqlFile, type SqlFiles } from './sql-files.ts';

/** Key of the session advisory lock that lets one process migrate at a time. */
const MIGRATION_LOCK = 1145655884;

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
    await client.query('insert into docket.migrations (name, sha256) values ($1, $2)', [file.name, file.sha256]);
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
    throw new DocketError('SERVER_TOO_OLD', `Postgres 16 or newer is needed, this server is ${server?.version}`);
  }
  if (server.encoding !== 'UTF8') {
    throw new DocketError('SERVER_ENCODING', `the database must be encoded in UTF8, this one is ${server.encoding}`);
  }
}

/**
 * Installs or updates Docket in a database. Idempotent; several processes may call it at once.
 * Migrations and definitions run in one transaction; the queue's own tables come before, in the transactions of its library.
 * @throws DocketError SERVER_TOO_OLD, SERVER_ENCODING, MIGRATION_FAILED; a pg error with SQLSTATE ZD050 for an edited migration.
 */
export async function migrate(options: {
  /** A login that owns the database and has CREATEROLE, or a superuser. */
  connectionString: string;
  log?: Logger;
  /** Other SQL than that of this package, for tests. */
  files?: SqlFiles;
}): Promise<MigrationReport> {
  const files = options.files ?? (await readSqlFiles());
  const client = new pg.Client({ connectionString: options.connectionString, application_name: 'docket migrate' });
  client.on('error', (error) => options.log?.warn({ err: error }, 'migration connection failed'));
  await client.connect();
  try {
    await checkServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runBootstrap(client, files.bootstrap);
    await migrateQueue(options.connectionString);

    await client.query('begin');
    let applied: string[];
    try {
      await client.query('set local role docket_owner');
      applied = await runDueMigrations(client, files.migrations);
      for (const file of files.definitions) await runFile(client, { ...file, name: `definitions/${file.name}` });
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }

    await client.query('set role docket_queue; analyze graphile_worker._private_jobs; set role docket_owner');
    const { rows: limitations } = await client.query<MigrationReport['limitations'][number]>(
      'select step, consequence from docket.hardening_gaps()',
    );
    return { applied, limitations };
  } finally {
    await client.end();
  }
}

async function migrateQueue(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c role=docket_queue' });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}
