import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import type { Cluster } from '../../src/db/cluster/cluster.ts';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createClient } from '../../src/db/pools.ts';
import type { Log } from '../../src/log.ts';
import { createLog } from '../../src/log.ts';
import { eventually } from '../support/eventually.ts';

export const SOURCE = 'carrier-a';

/** A Postgres server that a test may kill, durable as in production, with a source that `postgres` delivers for. */
export interface OwnServer {
  /** Of the server, its workers and their files; removed with it. */
  readonly home: string;
  readonly cluster: Cluster;
  /** Of workers on this server. */
  readonly config: Config;
  readonly log: Log;
  /** Asks over a connection of its own, so that it matters to nobody whether the server dies. */
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Kills the server by SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one in a folder of its own, below `folder` if that is given. */
export async function openOwnServer(
  options: { folder?: string; settings?: Record<string, string> } = {},
): Promise<OwnServer> {
  const home = await mkdtemp(join(options.folder ?? tmpdir(), 'dkt-own-'));
  // The server runs as another user when the tests run as root.
  await chmod(home, 0o711);
  const log = createLog({ level: process.env['TEST_LOG'] ?? 'silent' });
  const cluster = await openCluster({ dataDir: join(home, 'data'), settings: options.settings ?? {}, log });
  const url = cluster.url('postgres');
  await migrate({ connectionString: url });
  const ask = (text: string, values?: unknown[]) => askOnce(url, log, text, values);
  await ask(`select docket.add_source('${SOURCE}')`);
  await ask(`insert into docket.source_members (source_id, role_name) values ('${SOURCE}', 'postgres')`);
  return {
    home,
    cluster,
    config: {
      ...loadConfig({}),
      databaseUrl: url,
      workerUrl: cluster.url('docket_worker'),
      queueUrl: cluster.url('docket_queue'),
      keyFile: join(home, 'object-keys.json'),
      tempDir: join(home, 'temp'),
      store: `file:${join(home, 'objects')}`,
    },
    log,
    ask: ask as OwnServer['ask'],
    async kill() {
      process.kill(readPostmasterFile(cluster.dataDir)!.pid, 'SIGKILL');
      await eventually('the server is gone', () => !cluster.alive());
    },
    async close() {
      await cluster.stop({ evenIfInUse: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** One statement over a connection of its own. */
export async function askOnce<Row extends object>(
  url: string,
  log: Log,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = createClient({ url, name: 'test', log });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
