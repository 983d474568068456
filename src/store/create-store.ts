import { join } from 'node:path';
import type { Config } from '../config.ts';
import { deferStore } from './defer-store.ts';
import { createFileStore } from './file-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { routeReading } from './route-reading.ts';
import type { ObjectStore } from './store.ts';

type StoreConfig = Pick<
  Config,
  'store' | 'dataDir' | 's3Endpoint' | 's3Region' | 's3ReadBuckets' | 's3LockMode'
>;

/**
 * The object store that the configuration names: `file:/FOLDER`, which must be there (begin-store.ts), `s3://BUCKET[/PREFIX]`, or `memory:`.
 * Objects of the further buckets can be read too. Nothing is connected to before it is used.
 */
export function createStore(config: StoreConfig): ObjectStore {
  const main = config.store.startsWith('s3:')
    ? s3Store(config, config.store)
    : config.store === 'memory:'
      ? createMemoryStore()
      : createFileStore(config.store.slice('file:'.length), { mayBegin: false });
  const others = config.s3ReadBuckets
    .map((bucket) => `s3://${bucket}/`)
    .filter((beginning) => !`${config.store}/`.startsWith(beginning));
  return routeReading(
    main,
    Object.fromEntries(others.map((beginning) => [beginning, s3Store(config, beginning)])),
  );
}

/** The client of S3 takes a quarter of a second to load: only who uses it waits for it. */
function s3Store(config: StoreConfig, store: string): ObjectStore {
  return deferStore(async () => {
    const [{ createS3Client }, { bucketOf, createS3Store }] = await Promise.all([
      import('./s3-client.ts'),
      import('./s3-store.ts'),
    ]);
    return createS3Store({
      ...bucketOf(store),
      client: createS3Client({ endpoint: config.s3Endpoint, region: config.s3Region }),
      draftFolder: join(config.dataDir, 'drafts'),
      lockMode: config.s3LockMode,
    });
  });
}
