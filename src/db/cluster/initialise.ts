import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { DocketError } from '../../errors.ts';
import type { PostgresBinaries, PostgresMajor } from './binaries.ts';
import type { ClusterLayout } from './layout.ts';
import { processExists } from './postmaster.ts';
import { SERVER_ENVIRONMENT, type ServerUser } from './server-user.ts';

/**
 * Makes the data folder unless it exists. It is made under another name and renamed when complete: a killed attempt
 * leaves no half cluster behind, and of two processes that both make one, one wins and both go on.
 *
 * @throws DocketError CLUSTER_VERSION when the folder belongs to another major version, CLUSTER_INIT_FAILED.
 */
export async function initialiseOnce(
  layout: ClusterLayout,
  binaries: PostgresBinaries,
  options: { major: PostgresMajor; user: ServerUser | undefined; durable: boolean },
): Promise<void> {
  const versionFile = join(layout.dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    removeAbandonedAttempts(layout);
    await initialise(layout, binaries, options);
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  if (found !== String(options.major)) {
    throw new DocketError(
      'CLUSTER_VERSION',
      `${layout.dataDir} belongs to Postgres ${found}, not ${String(options.major)}.`,
      {
        hint: 'Choose another data folder, or move the data with the tools of Postgres (pg_dump, pg_upgrade).',
      },
    );
  }
}

async function initialise(
  layout: ClusterLayout,
  binaries: PostgresBinaries,
  { major, user, durable }: { major: PostgresMajor; user: ServerUser | undefined; durable: boolean },
): Promise<void> {
  const temporary = mkdtempSync(`${layout.dataDir}.new-${String(process.pid)}-`);
  try {
    if (user) chownSync(temporary, user.uid, user.gid);
    await runInitdb(binaries.initdb, temporary, initdbArguments(temporary, major, durable), user);
    appendFileSync(join(temporary, 'postgresql.conf'), `include '${basename(layout.settingsFile)}'\n`);
    putInPlace(temporary, layout.dataDir);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function runInitdb(
  initdb: string,
  cwd: string,
  args: readonly string[],
  user: ServerUser | undefined,
): Promise<void> {
  try {
    await promisify(execFile)(initdb, args, { cwd, env: SERVER_ENVIRONMENT, ...user });
  } catch (cause) {
    const { stderr = '', message } = cause as { stderr?: string; message: string };
    throw new DocketError('CLUSTER_INIT_FAILED', 'Postgres could not make a data folder.', {
      cause,
      hint: stderr.trim() || message,
    });
  }
}

/** Gives the complete data folder its name, unless another process has done so with its own meanwhile. */
function putInPlace(temporary: string, dataDir: string): void {
  try {
    renameSync(temporary, dataDir);
  } catch (cause) {
    if (existsSync(join(dataDir, 'PG_VERSION'))) return;
    throw new DocketError('CLUSTER_INIT_FAILED', `The new data folder could not be named ${dataDir}.`, {
      cause,
      hint: 'Something else is there. Move it away, or choose another data folder; it may not be a mount point itself.',
    });
  }
}

function initdbArguments(folder: string, major: PostgresMajor, durable: boolean): string[] {
  return [
    `--pgdata=${folder}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '--data-checksums',
    `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
    // From 17 on the server sorts by a locale of its own, so no upgrade of the C library can reorder an index.
    ...(major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

/** Folders of processes that were killed while they made one. */
function removeAbandonedAttempts({ home, dataDir }: ClusterLayout): void {
  const prefix = `${basename(dataDir)}.new-`;
  for (const name of readdirSync(home)) {
    if (!name.startsWith(prefix) || processExists(Number.parseInt(name.slice(prefix.length)))) continue;
    rmSync(join(home, name), { recursive: true, force: true });
  }
}
