import type { CheckpointBucket } from './bucket.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';

/** Keeps a bucket in step with the file. */
export interface BucketCopies {
  readonly name: string;
  /** Looks once what the bucket has of a log, and answers its newest checkpoint if it is newer than this size. */
  newerThan(origin: string, size: bigint, signal: AbortSignal): Promise<KeptCheckpoint | undefined>;
  /** Puts a checkpoint there, after those that could not be put there before. Answers whether they are locked. */
  put(kept: KeptCheckpoint, signal: AbortSignal): Promise<'locked' | 'unlocked'>;
}

export function createBucketCopies(bucket: CheckpointBucket, file: CheckpointFile): BucketCopies {
  let looked: string | undefined;
  /** In order of size; the last one with its newest cosignatures. */
  let waiting: KeptCheckpoint[] = [];

  return {
    name: bucket.name,

    async newerThan(origin, size, signal) {
      if (looked === origin) return undefined;
      const recent = await file.recent(origin);
      const present = await bucket.sizesFrom(origin, recent[0]?.size ?? size, signal);
      const newest = present.at(-1);
      const found =
        newest !== undefined && newest > size ? await bucket.read(origin, newest, signal) : undefined;
      const there = new Set(present);
      waiting = recent.filter((kept) => !there.has(kept.size));
      looked = origin;
      return found;
    },

    async put(kept, signal) {
      waiting = [...waiting.filter((other) => other.text !== kept.text), kept];
      let protection: 'locked' | 'unlocked' = 'unlocked';
      for (let next = waiting[0]; next; next = waiting[0]) {
        protection = await bucket.put(next, signal);
        waiting.shift();
      }
      return protection;
    },
  };
}
