import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Where one embedded cluster keeps what; every path follows from the data folder alone, so any process finds it. */
export interface ClusterLayout {
  /** The Postgres data folder. */
  readonly dataDir: string;
  /** The folder around it, which also holds the log and, when needed, the copied binaries. */
  readonly home: string;
  /** What the server writes. */
  readonly logFile: string;
  /** Private folder (0700) of the Unix socket. */
  readonly socketDir: string;
  /** Our settings, included by postgresql.conf. */
  readonly settingsFile: string;
}

/** The longest socket path every supported system takes, terminating zero included. */
const SOCKET_PATH_LIMIT = 100;

/** The layout of the cluster whose data folder is `dataDir` (absolute, symbolic links resolved). */
export function clusterLayout(dataDir: string): ClusterLayout {
  const home = dirname(dataDir);
  return {
    dataDir,
    home,
    logFile: join(home, `${basename(dataDir)}.log`),
    socketDir: socketFolder(dataDir),
    settingsFile: join(dataDir, 'docket.conf'),
  };
}

/** Beside the data folder when the path is short enough, else a folder of the temporary one, named by its hash. */
function socketFolder(dataDir: string): string {
  const beside = `${dataDir}.socket`;
  if (Buffer.byteLength(join(beside, '.s.PGSQL.65535')) < SOCKET_PATH_LIMIT) return beside;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `docket-${name}`);
}
