import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Cluster } from '../../db/cluster/cluster.ts';
import { openCluster } from '../../db/cluster/cluster.ts';
import { readPostmasterFile } from '../../db/cluster/postmaster.ts';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** The configuration of the demo: a folder of its own, with an embedded database and the scans in it. */
export function demoConfig(config: Config): Config {
  const dataDir = join(config.dataDir, 'demo');
  return {
    ...config,
    dataDir,
    store: `file:${join(dataDir, 'objects')}`,
    s3ReadBuckets: [],
    keyFile: join(dataDir, 'object-keys.json'),
    kmsKey: undefined,
    recoveryKey: undefined,
    logKeyFile: join(dataDir, 'log-key.pem'),
    checkpointFile: join(dataDir, 'checkpoints.jsonl'),
    checkpointBucket: undefined,
    checkpointSeconds: 1,
    witnessFile: undefined,
    databaseUrl: undefined,
    workerUrl: undefined,
    queueUrl: undefined,
    gatewayUrl: undefined,
    pgPort: undefined,
    // GraphQL is asked once, and listens wherever there is room.
    httpHost: '127.0.0.1',
    httpPort: 0,
    tokenKeys: undefined,
  };
}

/**
 * Makes the folder, empty unless `keep`: what an earlier demo left is removed, its server stopped first if it still runs.
 * Throws DEMO_BUSY if somebody uses that server.
 */
export async function prepareFolder({ dataDir }: Config, keep: boolean, log: Log): Promise<void> {
  if (!keep) {
    const data = postgresFolder(dataDir);
    if (readPostmasterFile(data) !== undefined) {
      const earlier = await openCluster({ dataDir: join(dataDir, 'postgres'), log });
      if ((await earlier.stop()) === 'in use') {
        throw new DocketError('DEMO_BUSY', `the demo's database in ${dataDir} is in use`, {
          hint: 'end what uses it, or choose another folder by DOCKET_DATA_DIR',
        });
      }
    }
    if (data !== join(dataDir, 'postgres')) await rm(dirname(data), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  await mkdir(dataDir, { recursive: true });
}

/** All folders that the demo wrote to, for whoever wants to remove them. */
export function foldersOf({ dataDir }: Config, cluster: Cluster): string[] {
  const isElsewhere =
    cluster.dataDir !== join(dataDir, 'postgres') && existsSync(`${join(dataDir, 'postgres')}.location`);
  return isElsewhere ? [dataDir, dirname(cluster.dataDir)] : [dataDir];
}

/** Where the server's data lie: elsewhere if its user could not reach the folder asked for (see cluster/folder.ts). */
function postgresFolder(dataDir: string): string {
  const usual = join(dataDir, 'postgres');
  const pointer = `${usual}.location`;
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : usual;
}
