import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { openCluster } from '../../db/cluster/cluster.ts';
import { postmasterState, processExists, readPostmasterFile } from '../../db/cluster/postmaster.ts';
import type { Log } from '../../log.ts';

/** Followed by the process that made it. */
const PREFIX = 'docket-loadtest-';
const FOLDER = /^docket-loadtest-(\d+)-/;

/** Has a folder used for the sealed copies of scans, the keys and an own server, and removes it; before, those of killed runs. */
export async function withLoadFolder<T>(log: Log, use: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftovers(log);
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await remove(folder);
  }
}

/** The configuration of an embedded server in that folder, for hosts on which there is no database yet. */
export async function serverInFolder(config: Config, folder: string): Promise<Config> {
  // As root the server runs as another user, who has to get to its data.
  await chmod(folder, 0o711);
  return { ...config, dataDir: folder, pgPort: undefined };
}

/** Those of this user whose process is gone. A server that still runs there is stopped first. */
async function removeLeftovers(log: Log): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || processExists(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    try {
      const found = await lstat(folder);
      if (!found.isDirectory() || found.uid !== process.getuid?.()) continue;
      const dataDir = join(folder, 'postgres');
      const server = readPostmasterFile(dataDir);
      if (server && postmasterState(server.pid, dataDir) === 'serving') {
        await (await openCluster({ dataDir, log })).stop({ evenIfInUse: true });
      }
      await remove(folder);
      log.warn({ folder }, 'removed what a load test that was killed had left');
    } catch (err) {
      log.warn({ err, folder }, 'what a load test had left could not be removed');
    }
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
