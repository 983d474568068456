import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DocketError } from '../../errors.ts';

/** All that the server's programs get of an environment: no PG… variable of ours may steer them. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The account the server runs as when we are root, which Postgres refuses to run as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Who must run the server: undefined when that is ourselves, otherwise (we are root) the owner of the data folder,
 * else `postgres`, else `nobody`.
 */
export function serverUser(dataDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  const found = account('postgres') ?? account('nobody');
  if (found) return found;
  throw new DocketError(
    'CLUSTER_NO_USER',
    'Postgres does not run as root, and there is no other user to run it as.',
    {
      hint: 'Create a user named postgres, or start Docket as a normal user.',
    },
  );
}

function account(name: string): ServerUser | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * The first folder on the way to `path` (its own folder included) that `user` may not enter; undefined when all of
 * them may be entered, or when the user is ourselves.
 */
export function blockingFolder(path: string, user: ServerUser | undefined): string | undefined {
  if (!user) return undefined;
  const folders: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => existsSync(folder) && !mayEnter(folder, user));
}

function mayEnter(folder: string, user: ServerUser): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
