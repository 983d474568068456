import type { S3Client } from '@aws-sdk/client-s3';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { keyOf } from './locator.ts';
import { streamBody } from './s3-body.ts';
import { call } from './s3-call.ts';
import type { Patience } from './s3-call.ts';
import { listVersions } from './s3-listing.ts';
import { hasObjectLock, protectVersion } from './s3-lock.ts';
import { named } from './s3-place.ts';
import type { LockMode, S3Place } from './s3-place.ts';
import { putObject } from './s3-put.ts';
import { removeObject } from './s3-removal.ts';
import type { ObjectReference, ObjectState, ObjectStore } from './store.ts';

export interface S3Options {
  bucket: string;
  /** New objects get names below it; segments between single slashes, or nothing. */
  prefix?: string;
  client: S3Client;
  /** Where objects wait, sealed, while they are sent. */
  draftFolder: string;
  lockMode: LockMode;
  patience?: Partial<Patience>;
}

const PATIENCE: Patience = { idleMs: 30_000, tries: 4, delayMs: 200 };

/**
 * A store in a bucket, addressed by content: an object is `s3://BUCKET/[PREFIX/][FOLDER/]ab/abcd…`, its SHA-256. Objects are
 * created under a condition that forbids to replace one, read back and compared before they are believed, and pinned by
 * their version where the bucket has versions. Every object of the bucket can be read.
 */
export function createS3Store(options: S3Options): ObjectStore {
  const { bucket, prefix = '' } = options;
  const place: S3Place = {
    ...options,
    prefix: prefix === '' ? '' : `${prefix}/`,
    beginning: `s3://${bucket}/`,
    patience: { ...PATIENCE, ...options.patience },
  };
  const { client, patience } = place;

  const stat = async (reference: ObjectReference, signal: AbortSignal): Promise<ObjectState> => {
    const command = new HeadObjectCommand(named(place, reference));
    const doing = { act: 'looking at', locator: reference.locator } as const;
    const found = await call(doing, patience, signal, (abortSignal) => client.send(command, { abortSignal }));
    return {
      sizeBytes: found.ContentLength ?? 0,
      retainUntil: found.ObjectLockRetainUntilDate ?? null,
      isHeld: found.ObjectLockLegalHoldStatus === 'ON',
    };
  };

  return {
    put: (bytes, { folder, signal = new AbortController().signal } = {}) =>
      putObject(place, bytes, folder, signal),

    async get(reference, { signal }) {
      const command = new GetObjectCommand(named(place, reference));
      const { locator } = reference;
      const doing = { act: 'reading', locator } as const;
      const { Body } = await call(doing, patience, signal, (abortSignal) =>
        client.send(command, { abortSignal }),
      );
      return streamBody(Body, { locator, idleMs: patience.idleMs, signal });
    },

    stat: (reference, { signal }) => stat(reference, signal),

    async remove(reference, { signal }) {
      return removeObject(place, named(place, reference), reference.locator, signal);
    },

    canProtect: ({ signal }) => hasObjectLock(place, signal),

    async protect(reference, { retainUntil, isHeld, signal }) {
      return protectVersion(place, named(place, reference), { retainUntil, isHeld, signal });
    },

    list: ({ signal }) => listVersions(place, place.prefix, signal),
  };
}

/** The bucket and the prefix of `s3://BUCKET[/PREFIX]`. Throws CONFIG_INVALID. */
export function bucketOf(store: string): { bucket: string; prefix: string } {
  const [bucket = '', ...segments] = store.slice('s3://'.length).replace(/\/$/, '').split('/');
  const prefix = segments.join('/');
  if (segments.length > 0) {
    try {
      keyOf({ locator: prefix, version: null }, '');
    } catch (cause) {
      throw new DocketError('CONFIG_INVALID', `${store}: "${prefix}" is no prefix of names`, { cause });
    }
  }
  return { bucket, prefix };
}
