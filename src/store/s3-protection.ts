import { GetBucketVersioningCommand } from '@aws-sdk/client-s3';
import { call } from './s3-call.ts';
import { hasObjectLock } from './s3-lock.ts';
import type { S3Place } from './s3-place.ts';

/** What a bucket itself does against the loss of what lies in it. */
export interface BucketProtection {
  readonly hasObjectLock: boolean;
  /** Whether an object that is replaced or removed stays as a version. */
  readonly hasVersions: boolean;
}

/** Asks a bucket. A server that does not know of versions has none. Throws as the store does where it may not ask. */
export async function bucketProtection(place: S3Place, signal: AbortSignal): Promise<BucketProtection> {
  const isLocked = await hasObjectLock(place, signal);
  // A lock needs versions.
  if (isLocked) return { hasObjectLock: true, hasVersions: true };
  const doing = { act: 'looking at', locator: place.beginning } as const;
  const { Status } = await call(doing, place.patience, signal, (abortSignal) =>
    place.client.send(new GetBucketVersioningCommand({ Bucket: place.bucket }), { abortSignal }),
  );
  return { hasObjectLock: false, hasVersions: Status === 'Enabled' };
}
