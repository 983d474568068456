import { rmdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DocketError } from '../../errors.ts';
import type { ClusterLayout } from './layout.ts';
import { postmasterState, type PostmasterFile } from './postmaster.ts';
import { askSuperuser, type SocketAddress } from './superuser.ts';

/** How long connections that were just closed may linger before they count as somebody else's. */
const LINGER_MS = 1_000;
const STOP_MS = 60_000;

/** Whether others are connected. Those who were before `opened` surely are; later ones may be ours, just closed. */
export async function isInUse(address: SocketAddress, opened: Date): Promise<boolean> {
  const begun = Date.now();
  for (;;) {
    const [others] = await askSuperuser<{ some: boolean; old: boolean }>(
      address,
      `select count(*) > 0 as some, coalesce(bool_or(backend_start < $1), false) as old
       from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      [opened],
    );
    if (!others?.some) return false;
    if (others.old || Date.now() - begun > LINGER_MS) return true;
    await delay(50);
  }
}

/**
 * Stops the server of a data folder and waits for its end.
 *
 * @throws DocketError CLUSTER_STOP_FAILED when it does not end within a minute.
 */
export async function stopServer({ pid, socketDir }: PostmasterFile, layout: ClusterLayout): Promise<void> {
  // The fast shutdown of Postgres: transactions are rolled back, a checkpoint is written.
  process.kill(pid, 'SIGINT');
  const begun = Date.now();
  while (postmasterState(pid, layout.dataDir) === 'serving') {
    if (Date.now() - begun > STOP_MS) {
      throw new DocketError(
        'CLUSTER_STOP_FAILED',
        `The embedded Postgres (process ${String(pid)}) does not stop.`,
        { hint: `See its log, ${layout.logFile}.` },
      );
    }
    await delay(20);
  }
  removeIfEmpty(socketDir);
}

/** A stopped server leaves nothing behind in the temporary folder; another one may have started already. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}
