import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { call } from '../store/s3-call.ts';
import { statusOf } from '../store/s3-errors.ts';
import { protectVersion } from '../store/s3-lock.ts';
import type { LockMode, S3Place } from '../store/s3-place.ts';
import { versionOf } from '../store/s3-place.ts';
import { forked } from './fork.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import { keptCheckpoint } from './kept-checkpoint.ts';

/** Copies of checkpoints in a bucket: each an object of its own that is never replaced, `[PREFIX/]LOG/SIZE`. */
export interface CheckpointBucket {
  /** `s3://BUCKET[/PREFIX]` */
  readonly name: string;
  /** The sizes, from one on, of which it has checkpoints, from the smallest. */
  sizesFrom(origin: string, size: bigint, signal: AbortSignal): Promise<bigint[]>;
  /** The checkpoint of a size; undefined where it has none. Throws SyntaxError for what is not one. */
  read(origin: string, size: bigint, signal: AbortSignal): Promise<KeptCheckpoint | undefined>;
  /**
   * Keeps a checkpoint, and locks it where the bucket has Object Lock; answers whether it has. One that is there already must
   * state the same. Throws CHECKPOINT_FORK where it does not.
   */
  put(kept: KeptCheckpoint, signal: AbortSignal): Promise<'locked' | 'unlocked'>;
}

/** How long a checkpoint is locked at least; a longer default of the bucket stays. */
const LOCKED_YEARS = 10;
const PATIENCE = { idleMs: 10_000, tries: 2, delayMs: 200 };

/** Nothing is connected to before it is used. */
export function createCheckpointBucket(options: {
  client: S3Client;
  bucket: string;
  prefix: string;
  lockMode: LockMode;
}): CheckpointBucket {
  const { client, bucket, prefix, lockMode } = options;
  const beginning = `s3://${bucket}/`;
  const place: S3Place = {
    client,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    beginning,
    draftFolder: '',
    lockMode,
    patience: PATIENCE,
  };

  const folderOf = (origin: string) => `${place.prefix}${origin.replaceAll(/[^A-Za-z0-9._-]/g, '-')}/`;
  // Padded, so that the order of names is that of sizes.
  const keyOf = (origin: string, size: bigint) => folderOf(origin) + String(size).padStart(19, '0');

  async function read(
    origin: string,
    size: bigint,
    signal: AbortSignal,
  ): Promise<KeptCheckpoint | undefined> {
    const Key = keyOf(origin, size);
    const doing = { act: 'reading', locator: beginning + Key } as const;
    try {
      const note = await call(doing, PATIENCE, signal, async (abortSignal) => {
        const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key }), { abortSignal });
        return answer.Body?.transformToString('utf8');
      });
      return keptCheckpoint(note ?? '');
    } catch (error) {
      if (error instanceof DocketError && error.code === 'OBJECT_NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Writes it unless something has its name; answers the version, or null where it is not known. */
  async function write(Key: string, note: string, signal: AbortSignal): Promise<string | null> {
    const doing = { act: 'writing', locator: beginning + Key } as const;
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key,
      Body: note,
      ContentMD5: createHash('md5').update(note).digest('base64'),
      ContentType: 'text/plain; charset=utf-8',
      IfNoneMatch: '*',
    });
    try {
      const { VersionId } = await call(doing, PATIENCE, signal, (abortSignal) =>
        client.send(command, { abortSignal }),
      );
      return versionOf(VersionId);
    } catch (error) {
      if (error instanceof DocketError && statusOf(error.cause) === 412) return null;
      throw error;
    }
  }

  return {
    name: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
    read,

    async sizesFrom(origin, size, signal) {
      const Prefix = folderOf(origin);
      const doing = { act: 'listing', locator: beginning + Prefix } as const;
      const sizes: bigint[] = [];
      for (let StartAfter: string | undefined = keyOf(origin, size - 1n); StartAfter !== undefined;) {
        const command: ListObjectsV2Command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix,
          StartAfter,
        });
        const { Contents = [], IsTruncated } = await call(doing, PATIENCE, signal, (abortSignal) =>
          client.send(command, { abortSignal }),
        );
        const names = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        sizes.push(
          ...names
            .map((name) => name.slice(Prefix.length))
            .filter(isSize)
            .map(BigInt),
        );
        StartAfter = IsTruncated ? names.at(-1) : undefined;
      }
      return sizes;
    },

    async put(kept, signal) {
      const { origin, size, note, text } = kept;
      const Key = keyOf(origin, size);
      const present = await read(origin, size, signal);
      const version = present ? null : await write(Key, note, signal);
      const there = present ?? (await read(origin, size, signal));
      if (there?.text !== text) {
        throw forked(
          `${beginning}${Key} states another root than the checkpoint of ${size} leaves that is to be kept there`,
        );
      }
      const retainUntil = new Date();
      retainUntil.setUTCFullYear(retainUntil.getUTCFullYear() + LOCKED_YEARS);
      const protection = await protectVersion(
        place,
        { Bucket: bucket, Key, ...(version === null ? {} : { VersionId: version }) },
        { retainUntil, isHeld: false, signal },
      );
      return protection === 'protected' ? 'locked' : 'unlocked';
    },
  };
}

function isSize(name: string): boolean {
  return /^\d{19}$/.test(name);
}
