import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createBucketCopies } from './bucket-copies.ts';
import type { CheckpointBucket } from './bucket.ts';
import { openCheckpointFile } from './checkpoint-file.ts';
import type { Publisher } from './publisher.ts';
import { createPublisher } from './publisher.ts';
import type { CheckpointSigner } from './signer.ts';
import { readWitnesses } from './witness-list.ts';
import { createWitnesses } from './witnesses.ts';

type Places = Pick<
  Config,
  | 'checkpointFile'
  | 'checkpointBucket'
  | 'checkpointSeconds'
  | 'witnessFile'
  | 'witnessMode'
  | 's3Endpoint'
  | 's3Region'
  | 's3LockMode'
>;

/** A publisher to the places that the configuration names. Throws CONFIG_WITNESSES. */
export async function openPublisher(
  config: Places,
  { db, signer, log }: { db: pg.Pool; signer: CheckpointSigner; log: Log },
): Promise<Publisher> {
  const file = openCheckpointFile(config.checkpointFile);
  const bucket = await openCheckpointBucket(config);
  const witnesses =
    config.witnessFile === undefined || config.witnessMode === 'off'
      ? undefined
      : createWitnesses(await readWitnesses(config.witnessFile));
  return createPublisher({
    db,
    signer,
    file,
    copies: bucket && createBucketCopies(bucket, file),
    witnesses,
    areWitnessesRequired: config.witnessMode === 'required',
    seconds: config.checkpointSeconds,
    log,
  });
}

/** The bucket of the configuration. The client of S3 takes a quarter of a second to load: only who uses it waits for it. */
export async function openCheckpointBucket(
  config: Pick<Places, 'checkpointBucket' | 's3Endpoint' | 's3Region' | 's3LockMode'>,
): Promise<CheckpointBucket | undefined> {
  if (config.checkpointBucket === undefined) return undefined;
  const [{ createS3Client }, { bucketOf }, { createCheckpointBucket }] = await Promise.all([
    import('../store/s3-client.ts'),
    import('../store/s3-store.ts'),
    import('./bucket.ts'),
  ]);
  return createCheckpointBucket({
    ...bucketOf(config.checkpointBucket),
    client: createS3Client({ endpoint: config.s3Endpoint, region: config.s3Region }),
    lockMode: config.s3LockMode,
  });
}
