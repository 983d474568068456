import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client } from '../../src/store/s3-client.ts';
import type { S3Options } from '../../src/store/s3-store.ts';
import { createS3Store } from '../../src/store/s3-store.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import type { ObjectServer } from '../support/object-server.ts';
import { createBucket, plainClient } from '../support/object-server.ts';

export interface S3Fixture {
  /** A client that does as it is told, to look and to meddle. */
  readonly plain: S3Client;
  /** Without versions. */
  readonly bucket: string;
  /** With versions and Object Lock. */
  readonly lockBucket: string;
  readonly drafts: string;
  store(bucket: string, options?: Partial<S3Options> & { endpoint?: string }): ObjectStore;
}

export async function createS3Fixture(server: ObjectServer): Promise<S3Fixture> {
  const plain = plainClient(server);
  const drafts = await mkdtemp(join(tmpdir(), 'docket-drafts-'));
  after(() => rm(drafts, { recursive: true, force: true }));
  return {
    plain,
    bucket: await createBucket(plain),
    lockBucket: await createBucket(plain, { hasObjectLock: true }),
    drafts,
    store: (bucket, { endpoint = server.endpoint, ...options } = {}) =>
      createS3Store({
        bucket,
        client: createS3Client({ endpoint, region: 'us-east-1', credentials: server }),
        draftFolder: drafts,
        lockMode: 'governance',
        patience: { delayMs: 1 },
        ...options,
      }),
  };
}
