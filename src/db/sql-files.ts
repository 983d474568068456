// Where the SQL files are and in which order they run. Knows nothing of a database.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One SQL file: its path relative to sql/, its text and the SHA-256 of its bytes as lower-case hex. */
export interface SqlFile {
  name: string;
  text: string;
  sha256: string;
}

/** The SQL of one installation, each list in the order in which it runs. */
export interface SqlFiles {
  /** Roles, schemas, the migration log: definitions numbered below 15. They run before everything else. */
  bootstrap: SqlFile[];
  /** Append-only numbered files. Names are relative to sql/migrations. */
  migrations: SqlFile[];
  /** The current truth, replayed whole. */
  definitions: SqlFile[];
}

/** The folder that holds sql/: two levels above this file, in the source tree and in a published package alike. */
export const sqlFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'sql');

async function readSqlFile(folder: string, path: string): Promise<SqlFile> {
  const bytes = await readFile(path);
  return {
    name: relative(folder, path).replaceAll('\\', '/'),
    text: bytes.toString('utf8'),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function readFolder(folder: string): Promise<SqlFile[]> {
  const entries = await readdir(folder, { recursive: true });
  const names = entries.filter((entry) => entry.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readSqlFile(folder, join(folder, name))));
}

/** Reads all SQL files from a folder laid out like sql/. */
export async function readSqlFiles(folder: string = sqlFolder): Promise<SqlFiles> {
  const migrations = await readFolder(join(folder, 'migrations'));
  const definitions = await readFolder(join(folder, 'definitions'));
  const isBootstrap = (file: SqlFile) => file.name < '15';
  return {
    bootstrap: definitions.filter(isBootstrap),
    migrations,
    definitions: definitions.filter((file) => !isBootstrap(file)),
  };
}

/** One checksum of everything: SHA-256 over name and SHA-256 of each file, a line each, as lower-case hex. */
export function checksumOf(files: SqlFiles): string {
  const hash = createHash('sha256');
  for (const file of [...files.bootstrap, ...files.migrations, ...files.definitions]) {
    hash.update(`${file.name}\n${file.sha256}\n`);
  }
  return hash.digest('hex');
}
