import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { postgresBinaries, type PostgresMajor } from './binaries.ts';
import { makePrivateFolder, reachableDataDir } from './folder.ts';
import { initialiseOnce } from './initialise.ts';
import { clusterLayout } from './layout.ts';
import { postmasterState } from './postmaster.ts';
import { serverUser } from './server-user.ts';
import { writeSettings } from './settings.ts';
import { startServer, type ServerSite } from './start.ts';
import { isInUse, stopServer } from './stop.ts';
import { askSuperuser, socketUrl, type SocketAddress } from './superuser.ts';

const DATABASE = 'docket';

export interface ClusterOptions {
  /** The Postgres data folder; the log (`….log`) and the socket's folder (`….socket`) lie beside it. */
  readonly dataDir: string;
  /** Default 18. */
  readonly major?: PostgresMajor;
  /** Also listens on this port of 127.0.0.1, with passwords; without it the server has no network address. */
  readonly port?: number | undefined;
  /** Settings of postgresql.conf that replace ours. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** A Postgres server of our own, with a database `docket`. */
export interface Cluster {
  /** The folder in use; another one than asked for only when the server could not reach that one. */
  readonly dataDir: string;
  readonly socketDir: string;
  readonly port: number;
  readonly logFile: string;
  /** Whether the server was running already when the cluster was opened. */
  readonly adopted: boolean;
  /** A connection string; the database is `docket` unless another one is named. */
  url(role: string, database?: string): string;
  /** Whether the server's process lives; cheap. */
  alive(): boolean;
  /** Starts the server again if it died. @throws DocketError CLUSTER_START_FAILED, CLUSTER_CLOSED. */
  ensureRunning(): Promise<void>;
  /**
   * Stops the server, unless other clients than our own closed ones are connected to it: another process of Docket may
   * be using it, and stops it later. `evenIfInUse` disconnects them. Afterwards the cluster is not started again.
   *
   * @throws DocketError CLUSTER_STOP_FAILED when the server does not end within a minute.
   */
  stop(options?: { evenIfInUse?: boolean }): Promise<'stopped' | 'in use'>;
}

/**
 * Opens the cluster of a data folder: makes it if there is none, starts its server or adopts the running one, and
 * makes the database. As root the server runs as the owner of the data folder, `postgres` or `nobody`.
 *
 * @throws DocketError CLUSTER_… with a hint that says what to do.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  if (process.platform === 'win32') {
    throw new DocketError('CLUSTER_PLATFORM', 'The embedded Postgres needs Linux or macOS.', {
      hint: 'Set DOCKET_DATABASE_URL to a server of version 16 or later.',
    });
  }
  const { log, major = 18, settings = {} } = options;
  const opened = new Date();
  const asked = serverUser(options.dataDir);
  const layout = clusterLayout(reachableDataDir(options.dataDir, asked, log));
  const user = serverUser(layout.dataDir);
  const binaries = postgresBinaries(major, layout.home, user);
  await initialiseOnce(layout, binaries, { major, user, durable: settings['fsync'] !== 'off' });

  const makeSocketFolder = () => makePrivateFolder(layout.socketDir, user);
  const site: ServerSite = {
    layout,
    user,
    log,
    postgres: binaries.postgres,
    prepare: () => {
      makeSocketFolder();
      writeSettings(layout, { port: options.port, settings, user });
    },
  };
  let server = await startServer(site);
  const { adopted } = server;
  await createDatabase(server.postmaster);
  if (options.port !== undefined && server.postmaster.port !== options.port) {
    log.warn(
      { asked: options.port, port: server.postmaster.port },
      'the running server keeps its port until it is stopped',
    );
  }
  log.info(
    { dataDir: layout.dataDir, server: server.postmaster.pid, adopted },
    'the embedded Postgres is ready',
  );
  let closed = false;

  const alive = () => postmasterState(server.postmaster.pid, layout.dataDir) === 'serving';
  return {
    dataDir: layout.dataDir,
    logFile: layout.logFile,
    adopted,
    get socketDir() {
      return server.postmaster.socketDir;
    },
    get port() {
      return server.postmaster.port;
    },
    url: (role, database = DATABASE) => socketUrl(server.postmaster, role, database),
    alive,
    async ensureRunning() {
      if (closed) throw new DocketError('CLUSTER_CLOSED', 'The embedded Postgres was stopped on purpose.');
      // With the settings of its last start: connections have been told its port.
      if (!alive()) server = await startServer({ ...site, prepare: makeSocketFolder });
    },
    async stop({ evenIfInUse = false } = {}) {
      closed = true;
      if (!alive()) return 'stopped';
      if (!evenIfInUse && (await isInUse(server.postmaster, opened))) {
        log.info({ dataDir: layout.dataDir }, 'the embedded Postgres stays up: other clients use it');
        return 'in use';
      }
      await stopServer(server.postmaster, layout);
      return 'stopped';
    },
  };
}

async function createDatabase(address: SocketAddress): Promise<void> {
  const [found] = await askSuperuser(address, 'select from pg_database where datname = $1', [DATABASE]);
  if (found) return;
  try {
    await askSuperuser(address, `create database ${DATABASE}`);
  } catch (error) {
    // Another process was faster: 42P04 when it had finished, 23505 when it committed while ours was at work.
    const { code } = error as { code?: string };
    if (code !== '42P04' && code !== '23505') throw error;
  }
}
