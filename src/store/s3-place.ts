import type { S3Client } from '@aws-sdk/client-s3';
import { keyOf } from './locator.ts';
import type { Patience } from './s3-call.ts';
import type { ObjectReference } from './store.ts';

/** By whom a lock can be undone: governance by whoever has a special right, compliance by nobody. */
export type LockMode = 'governance' | 'compliance';

/** What an S3 store works with, settled. */
export interface S3Place {
  readonly client: S3Client;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** How all its locators begin. */
  readonly beginning: string;
  /** Where objects wait, sealed, while they are sent. */
  readonly draftFolder: string;
  readonly lockMode: LockMode;
  readonly patience: Patience;
}

/** An object as requests name it: the current version unless one is named. */
export interface NamedObject {
  readonly Bucket: string;
  readonly Key: string;
  readonly VersionId?: string;
}

/** Throws LOCATOR_INVALID for what is not an object of that bucket. */
export function named({ bucket, beginning }: S3Place, reference: ObjectReference): NamedObject {
  const Key = keyOf(reference, beginning, { hasVersions: true });
  return { Bucket: bucket, Key, ...(reference.version === null ? {} : { VersionId: reference.version }) };
}

/** A bucket without versions calls what it has the version "null", or says nothing. */
export function versionOf(answered: string | undefined): string | null {
  return answered === undefined || answered === '' || answered === 'null' ? null : answered;
}
