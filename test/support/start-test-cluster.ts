import { existsSync, chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresMajor } from '../../src/db/cluster/binaries.ts';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { postmasterState, processExists, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { askSuperuser, type SocketAddress } from '../../src/db/cluster/superuser.ts';
import { createLog, type Log } from '../../src/log.ts';
import { eventually } from './eventually.ts';
import type { TestCluster } from './test-cluster.ts';

const PREFIX = 'docket-test-';
const TEMPLATE = 'docket_template';

/** Tests ask for speed: nothing of these databases outlives the run. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  log_checkpoints: 'off',
  // for what a forgotten prepared transaction holds up
  max_prepared_transactions: '10',
};

/** Starts a server of `major` in a temporary folder, with the migrated template; `stop` removes both. */
export async function startTestCluster(
  major: PostgresMajor,
): Promise<TestCluster & { stop(): Promise<void> }> {
  const log = createLog({ level: 'error' });
  await removeLeftovers();
  const home = join(tmpdir(), `${PREFIX}${String(process.pid)}-${String(major)}`);
  mkdirSync(home, { recursive: true });
  // As root the server runs as another user, who has to get to its data folder.
  chmodSync(home, 0o711);
  const cluster = await openCluster({ dataDir: join(home, 'data'), major, settings: SETTINGS, log });
  const address = { socketDir: cluster.socketDir, port: cluster.port };
  const stop = async () => {
    await cluster.stop({ evenIfInUse: true });
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await makeTemplate(address, cluster.url('postgres', TEMPLATE), log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...address, major, template: TEMPLATE, stop };
}

async function makeTemplate(address: SocketAddress, connectionString: string, log: Log): Promise<void> {
  await askSuperuser(address, `create database ${TEMPLATE}`);
  const module = join(import.meta.dirname, '../../src/db/migrate.ts');
  if (existsSync(module)) {
    const { migrate } = (await import(module)) as {
      migrate: (options: { connectionString: string; log: Log }) => Promise<unknown>;
    };
    await migrate({ connectionString, log });
  }
  // A single forgotten connection to it would make every clone fail.
  await askSuperuser(address, `alter database ${TEMPLATE} allow_connections false is_template true`);
}

/** What runs that were killed left behind: their servers and folders. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const runner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (runner === undefined || processExists(Number(runner))) continue;
    const home = join(tmpdir(), name);
    const dataDir = join(home, 'data');
    const server = readPostmasterFile(dataDir)?.pid;
    if (server !== undefined && postmasterState(server, dataDir) === 'serving') {
      process.kill(server, 'SIGQUIT');
      await eventually(
        'a server left behind has ended',
        () => postmasterState(server, dataDir) !== 'serving',
      );
    }
    rmSync(home, { recursive: true, force: true });
  }
}
