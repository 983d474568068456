import { existsSync, lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { DocketError } from './errors.ts';
import type { Log } from './log.ts';

/** A folder of one process: of a worker for one lease, of a server for its life. */
export interface TempFolder {
  readonly path: string;
  /**
   * Makes it again if somebody, such as a cleaner of /tmp, removed it or its proof of life; resolves with its path.
   * Throws TEMP_STORAGE_FAILED if that cannot be.
   */
  ensure(): Promise<string>;
  /** Removes it with all it holds. Never rejects. */
  remove(): Promise<void>;
}

const FOLDER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PROOF = '.alive';
/** What the shortest of the systems' limits for the path of a Unix socket leaves. */
const LONGEST_SOCKET_PATH = 103;

/**
 * Makes a folder with that id (a UUID: the lease of a worker, or any new one), 0700, below the root. Beside it lies a Unix socket that the process listens on: the kernel
 * refuses connections to it from the moment the process is gone, and accepts them while it merely stands still. That is
 * the proof of life that `sweepTempFolders` goes by; it needs neither clock, process ids nor database.
 * Throws TEMP_STORAGE_FAILED where the root cannot be used or belongs to somebody else.
 */
export async function makeTempFolder(root: string, id: string, log: Log): Promise<TempFolder> {
  const path = join(root, id);
  const socket = path + PROOF;
  if (Buffer.byteLength(socket) > LONGEST_SOCKET_PATH) {
    throw refused(`${root} is too long a path`, 'choose a shorter DOCKET_TEMP_DIR');
  }
  let proof: Server | undefined;
  let making: Promise<void> | undefined;
  let isRemoved = false;
  /** Whether it was seen in this very turn. */
  let isSeen = false;

  function see(): boolean {
    if (isSeen) return true;
    if (!isPrivate(lstatSync(path, { throwIfNoEntry: false })) || !existsSync(socket)) return false;
    isSeen = true;
    setImmediate(() => (isSeen = false));
    return true;
  }

  async function make(): Promise<void> {
    if (isRemoved) throw refused(`${path} is no longer used`, 'none: the process is stopping');
    try {
      await prepareRoot(root);
      if (proof === undefined || !existsSync(socket)) {
        // Closing removes the file of that name, whoever made it: so before the next one is made.
        proof?.close();
        proof = await listen(socket);
      }
      await makePrivate(path);
    } catch (error) {
      if (error instanceof DocketError) throw error;
      throw refused(`${root} cannot be used: ${String(error)}`, 'choose another DOCKET_TEMP_DIR', error);
    }
  }

  await make().catch((error: unknown) => {
    proof?.close();
    throw error;
  });
  return {
    path,
    async ensure() {
      // Asked before every document, and it is nearly always there; many documents are begun in one turn.
      if (!isRemoved && see()) return path;
      // One at a time, for all who ask meanwhile.
      await (making ??= make().finally(() => (making = undefined)));
      return path;
    },
    async remove() {
      isRemoved = true;
      await making?.catch(() => undefined);
      await remove(path, log);
      // Closing the socket also removes its file.
      proof?.close();
    },
  };
}

/**
 * Removes the folders that processes left behind, and those alone: a folder stays if its process answers, if the answer
 * is in doubt, or if its socket is missing. Returns how many it removed.
 */
export async function sweepTempFolders(root: string, log: Log): Promise<number> {
  const names = await readdir(root).catch(() => []);
  let removed = 0;
  for (const name of names.filter((entry) => entry.endsWith(PROOF))) {
    const id = name.slice(0, -PROOF.length);
    if (!FOLDER_ID.test(id) || !(await isRefused(join(root, name)))) continue;
    await rm(join(root, id), { recursive: true, force: true });
    await rm(join(root, name), { force: true });
    log.info({ folder: id }, 'removed the temporary files of a process that is gone');
    removed += 1;
  }
  return removed;
}

/** Not used: a root that another user made first, or in which others may rename what is ours. */
async function prepareRoot(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const found = await lstat(root);
  const isOwned = found.uid === 0 || found.uid === process.getuid?.();
  const isSticky = (found.mode & 0o1000) !== 0;
  if (!found.isDirectory() || !isOwned || ((found.mode & 0o022) !== 0 && !isSticky)) {
    throw refused(
      `${root} is not a folder of this user alone`,
      'remove it, or choose another DOCKET_TEMP_DIR',
    );
  }
}

/** A folder that is there already is used only if nobody else could have put it there, or can look into it. */
async function makePrivate(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isPrivate(await lstat(path))) return;
    throw refused(`${path} is not a folder of this user alone`, 'choose another DOCKET_TEMP_DIR');
  }
}

function isPrivate(found: Stats | undefined): boolean {
  if (found === undefined) return false;
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

function listen(path: string): Promise<Server> {
  const server = createServer((visitor) => visitor.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const visit = connect(path);
    visit.once('connect', () => {
      visit.destroy();
      resolve(false);
    });
    visit.once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
  });
}

async function remove(path: string, log: Log): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (err) {
    log.error({ err, path }, 'temporary files could not be removed');
  }
}

function refused(message: string, hint: string, cause?: unknown): DocketError {
  return new DocketError('TEMP_STORAGE_FAILED', message, { hint, cause });
}
