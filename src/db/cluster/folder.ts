import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { blockingFolder, type ServerUser } from './server-user.ts';

/** Where data folders go that the server's user could not reach at the place asked for. */
const ELSEWHERE = '/var/lib/docket';

/**
 * The data folder to use for the one asked for, as an absolute path without symbolic links; its parent is made.
 *
 * It differs from the one asked for only when we are root and the server's user may not enter a folder on the way
 * (/root is closed to others, for example). Then it lies under /var/lib/docket, and a file `DATA.location` beside the
 * place asked for says where: remove that file and the cluster is a new one.
 *
 * @throws DocketError CLUSTER_FOLDER_UNREACHABLE, CLUSTER_FOLDER_DENIED.
 */
export function reachableDataDir(asked: string, user: ServerUser | undefined, log: Log): string {
  makeTraversable(dirname(resolve(asked)));
  const dataDir = withoutLinks(resolve(asked));
  const blocked = blockingFolder(dirname(dataDir), user);
  if (!blocked) return checkAccess(dataDir);

  const pointer = `${dataDir}.location`;
  if (existsSync(pointer)) return checkAccess(readFileSync(pointer, 'utf8').trim());
  if (existsSync(dataDir)) throw unreachable(dataDir, blocked);
  const elsewhere = join(ELSEWHERE, randomBytes(8).toString('hex'), basename(dataDir));
  try {
    makeTraversable(dirname(elsewhere));
    writeFileSync(pointer, `${elsewhere}\n`);
  } catch (cause) {
    throw unreachable(dataDir, blocked, cause);
  }
  if (blockingFolder(dirname(elsewhere), user)) throw unreachable(dataDir, blocked);
  log.warn(
    { asked: dataDir, blocked, dataDir: elsewhere },
    'the server may not enter a folder on the way; its data go elsewhere',
  );
  return elsewhere;
}

/** Where the data folder lies that was asked for, as far as a cluster was made; nothing is made or changed. */
export function notedDataDir(asked: string): string {
  const pointer = `${resolve(asked)}.location`;
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : resolve(asked);
}

/**
 * Makes the private folder of the socket, or checks the one that is there: in a temporary folder that all users
 * share, somebody else could have made it.
 *
 * @throws DocketError CLUSTER_SOCKET_FOLDER.
 */
export function makePrivateFolder(folder: string, user: ServerUser | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const us = process.getuid?.();
  const owner = user?.uid ?? us;
  if (!found.isDirectory() || (found.uid !== owner && found.uid !== us)) {
    throw new DocketError('CLUSTER_SOCKET_FOLDER', `${folder} is not a folder of the server's user.`, {
      hint: 'Remove it, or choose a data folder with a shorter path, beside which the socket then lies.',
    });
  }
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
}

/** The path without symbolic links of a folder that may not exist yet, in one that does. */
function withoutLinks(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : join(realpathSync(dirname(folder)), basename(folder));
}

/** Makes the folders that are missing on the way, open for passing through whatever the umask says. */
function makeTraversable(folder: string): void {
  if (existsSync(folder)) return;
  makeTraversable(dirname(folder));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
}

function checkAccess(dataDir: string): string {
  if (!existsSync(dataDir)) return dataDir;
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataDir;
  } catch (cause) {
    throw new DocketError('CLUSTER_FOLDER_DENIED', `The data folder ${dataDir} belongs to another user.`, {
      cause,
      hint: 'Start Docket as the user who made it, or choose another data folder.',
    });
  }
}

function unreachable(dataDir: string, blocked: string, cause?: unknown): DocketError {
  return new DocketError(
    'CLUSTER_FOLDER_UNREACHABLE',
    `Postgres may not enter ${blocked}, so it cannot use ${dataDir}.`,
    {
      cause,
      hint: `It does not run as root. Allow passing through (chmod o+x ${blocked}), choose another data folder, or start Docket as a normal user.`,
    },
  );
}
