// A Postgres of its own for one measurement, with what it cost in CPU seconds.
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';

/** Clock ticks a second, as Linux reports CPU times. */
const TICKS = 100;

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
  const postmaster = Number(line);
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = await Promise.all(pids.map((pid) => processTimes(pid)));
  return times
    .filter((time) => time !== undefined)
    .filter((time) => time.pid === postmaster || time.parent === postmaster)
    .reduce((sum, time) => sum + time.own + (time.pid === postmaster ? time.ofEndedChildren : 0), 0);
}

async function processTimes(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // Fields after the name, which may hold anything: state is the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (...places: number[]) =>
    places.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS;
  return { pid, parent: Number(fields[1]), own: seconds(11, 12), ofEndedChildren: seconds(13, 14) };
}
