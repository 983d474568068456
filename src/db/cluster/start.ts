import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ClusterLayout } from './layout.ts';
import { endOrphans } from './orphans.ts';
import { postmasterState, readPostmasterFile, type PostmasterFile } from './postmaster.ts';
import { lastLogLines, openServerLog } from './server-log.ts';
import { SERVER_ENVIRONMENT, type ServerUser } from './server-user.ts';
import { askSuperuser } from './superuser.ts';

/** How long leftovers of a killed server may keep the next one from starting. */
const OBSTACLE_MS = 15_000;
/** How long a server that lives may take to answer; crash recovery reads the log since the last checkpoint. */
const RECOVERY_MS = 600_000;
const LOOK_MS = 25;
const RETRY_MS = 250;

/** What a server says when something of its killed predecessor is still there, or when another start was faster. */
const OBSTACLE =
  /lock file .* already exists|pre-existing shared memory block|could not bind Unix address|is being used by/;

export interface ServerSite {
  readonly layout: ClusterLayout;
  readonly postgres: string;
  readonly user: ServerUser | undefined;
  /** Called before each start of a server, never for one that is adopted. */
  readonly prepare: () => void;
  readonly log: Log;
}

export interface RunningServer {
  readonly postmaster: PostmasterFile;
  /** Whether it was running already. */
  readonly adopted: boolean;
}

/**
 * Returns the server of the data folder: the one that runs on it already, else a new one, as soon as it answers.
 * Any number of processes may call it at once; Postgres itself lets one server win, and the others adopt it.
 *
 * @throws DocketError CLUSTER_START_FAILED with the server's last log lines.
 */
export async function startServer(site: ServerSite): Promise<RunningServer> {
  const { dataDir } = site.layout;
  const begun = Date.now();
  let obstacle: DocketError | undefined;
  for (;;) {
    const file = readPostmasterFile(dataDir);
    const state = file ? postmasterState(file.pid, dataDir) : 'gone';
    if (file && state === 'serving') {
      if (await answers(file, dataDir)) return { postmaster: file, adopted: true };
    } else if (state === 'other') {
      // Postgres itself only looks whether the number is taken, and would refuse to start for ever.
      site.log.warn({ server: file?.pid }, 'removing the lock file of a server that is gone');
      rmSync(join(dataDir, 'postmaster.pid'), { force: true });
      continue;
    } else if (state === 'gone') {
      const outcome = await launch(site);
      if ('postmaster' in outcome) return { postmaster: outcome.postmaster, adopted: false };
      if (!outcome.passing) throw outcome.error;
      obstacle = outcome.error;
      const orphans = endOrphans(dataDir);
      if (orphans.length > 0) site.log.warn({ orphans }, 'ending what is left of a server that was killed');
    }
    // Shutting down or recovering takes as long as it takes; anything else is expected to pass soon.
    const patience =
      state === 'serving' && /^(starting|stopping|standby)/.test(file?.status ?? '')
        ? RECOVERY_MS
        : OBSTACLE_MS;
    if (Date.now() - begun > patience) {
      throw obstacle ?? failed(site, 0, `its process ${String(file?.pid)} is ${state} but does not answer`);
    }
    await delay(RETRY_MS);
  }
}

/** Starts a server and waits until it answers or ends. */
async function launch(
  site: ServerSite,
): Promise<{ postmaster: PostmasterFile } | { error: DocketError; passing: boolean }> {
  const { layout, user } = site;
  site.prepare();
  const serverLog = openServerLog(layout.logFile, user);
  let server: ChildProcess;
  try {
    // A session of its own and no pipes: it survives us, and Ctrl-C in our terminal does not reach it.
    server = spawn(site.postgres, ['-D', layout.dataDir], {
      cwd: layout.dataDir,
      detached: true,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', serverLog.descriptor, serverLog.descriptor],
      ...user,
    });
  } finally {
    closeSync(serverLog.descriptor);
  }
  let ended: string | undefined;
  server.once(
    'exit',
    (code, signal) => (ended = signal ? `it was ended by ${signal}` : `it ended with code ${String(code)}`),
  );
  server.once('error', (error) => (ended = error.message));
  server.unref();
  const begun = Date.now();
  for (;;) {
    await delay(LOOK_MS);
    const file = readPostmasterFile(layout.dataDir);
    if (ended !== undefined) {
      const error = failed(site, serverLog.sizeBytes, ended);
      return { error, passing: OBSTACLE.test(lastLogLines(layout.logFile, serverLog.sizeBytes).join('\n')) };
    }
    if (file && file.pid === server.pid && (await answers(file, layout.dataDir))) return { postmaster: file };
    if (Date.now() - begun > RECOVERY_MS) {
      return { error: failed(site, serverLog.sizeBytes, 'it does not answer'), passing: false };
    }
  }
}

/** Whether the server is ready and serves this very folder; a socket left over by another one must not deceive us. */
async function answers(file: PostmasterFile, dataDir: string): Promise<boolean> {
  if (!file.status.startsWith('ready')) return false;
  try {
    const [row] = await askSuperuser<{ folder: string }>(
      file,
      `select current_setting('data_directory') as folder`,
    );
    return row !== undefined && realpathSync(row.folder) === dataDir;
  } catch {
    // Starting, stopping, or out of connections: the caller asks again until its patience ends.
    return false;
  }
}

function failed({ layout }: ServerSite, logOffset: number, reason: string): DocketError {
  const lines = lastLogLines(layout.logFile, logOffset);
  return new DocketError('CLUSTER_START_FAILED', `The embedded Postgres did not start: ${reason}.`, {
    hint: ['Its last words:', ...lines, `The whole log: ${layout.logFile}`].join('\n'),
    data: { dataDir: layout.dataDir, log: lines },
  });
}
