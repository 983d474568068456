// A Postgres of its own for one measurement, with what it cost in CPU seconds.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { usageOf } from '../../src/cli/loadtest/process-usage.ts';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';

/** A migrated database on a server of its own, durable as in production. */
export interface BenchDatabase {
  /** Temporary, and removed with the database. */
  readonly folder: string;
  /** Of the migrated database, unless another one of the server is named. */
  url(role: string, name?: string): string;
  /** A connected client of a role; closed with the database. */
  connect(role: string, name?: string): Promise<pg.Client>;
  /** CPU seconds of the server and all its processes so far; 0 where /proc is absent. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a fresh server in a temporary folder, with settings of its own if there are any, and migrates its database. */
export async function openBenchDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'));
  await chmod(folder, 0o755);
  const log = createLog({ level: 'warn' });
  const dataDir = join(folder, 'data');
  const cluster = await openCluster({ dataDir, log, settings: { max_connections: '150', ...settings } });
  const remove = async () => {
    await cluster.stop({ evenIfInUse: true });
    await rm(folder, { recursive: true, force: true });
  };
  await migrate({ connectionString: cluster.url('postgres'), log }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const clients: pg.Client[] = [];
  return {
    folder,
    url: (role, name) => cluster.url(role, name),
    async connect(role, name) {
      const client = new pg.Client({ connectionString: cluster.url(role, name) });
      await client.connect();
      clients.push(client);
      return client;
    },
    cpuSeconds: () => serverCpuSeconds(dataDir),
    async close() {
      await Promise.all(clients.map((client) => client.end()));
      await remove();
    },
  };
}

async function serverCpuSeconds(dataDir: string): Promise<number> {
  const [line] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n');
  return (await usageOf(Number(line)))?.cpuSeconds ?? 0;
}
