import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createFileStore } from './file-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { routeReading } from './route-reading.ts';
import { createS3Client } from './s3-client.ts';
import { bucketOf, createS3Store } from './s3-store.ts';
import type { ObjectStore } from './store.ts';

type StoreConfig = Pick<
  Config,
  'store' | 'dataDir' | 's3Endpoint' | 's3Region' | 's3ReadBuckets' | 's3LockMode'
>;

/**
 * The object store that the configuration names: `file:/FOLDER`, made on first use, `s3://BUCKET[/PREFIX]`, or `memory:`.
 * Objects of the further buckets can be read too. Nothing is connected to before it is used.
 */
export function createStore(config: StoreConfig): ObjectStore {
  const client = createS3Client({ endpoint: config.s3Endpoint, region: config.s3Region });
  const open = (store: string) =>
    createS3Store({
      ...bucketOf(store),
      client,
      draftFolder: join(config.dataDir, 'drafts'),
      lockMode: config.s3LockMode,
    });
  const main = config.store.startsWith('s3:')
    ? open(config.store)
    : config.store === 'memory:'
      ? createMemoryStore()
      : createFileStore(config.store.slice('file:'.length));
  const others = config.s3ReadBuckets
    .map((bucket) => `s3://${bucket}/`)
    .filter((beginning) => !`${config.store}/`.startsWith(beginning))
    .map((beginning) => [beginning, open(beginning)]);
  return routeReading(main, Object.fromEntries(others) as Record<string, ObjectStore>);
}
