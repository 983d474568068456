import { hostname } from 'node:os';
import type pg from 'pg';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { BucketCopies } from './bucket-copies.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import type { Head } from './next-checkpoint.ts';
import { readHead, readProof, requireGoesOn, signHead } from './next-checkpoint.ts';
import type { PlaceNews } from './place-news.ts';
import { failureOf } from './place-news.ts';
import { sayingOnce } from './saying-once.ts';
import type { CheckpointSigner } from './signer.ts';
import type { Witnesses } from './witnesses.ts';

export interface PublisherOptions {
  db: pg.Pool;
  signer: CheckpointSigner;
  file: CheckpointFile;
  /** Undefined where there is none. */
  copies: BucketCopies | undefined;
  witnesses: Witnesses | undefined;
  /** Whether a checkpoint waits until all witnesses have cosigned it. */
  areWitnessesRequired: boolean;
  /** The least time between two checkpoints. */
  seconds: number;
  log: Log;
}

/** Has checkpoints signed and kept, one after the other. */
export interface Publisher {
  /**
   * Sign → publish → record, once; answers whether a checkpoint was recorded. What was signed and not recorded, for a crash or
   * an outage, comes first: it is published as it is, and nothing else is signed before. What does not go on from the newest
   * checkpoint that is known outside the database is refused, loudly, and nothing is signed.
   */
  round(signal: AbortSignal): Promise<boolean>;
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, signer, file, copies, witnesses, areWitnessesRequired, seconds, log } = options;
  const filePlace = `${hostname()}:${file.path}`;
  const say = sayingOnce();

  /** The newest checkpoint that anybody but the database's seals can tell of. */
  async function newestSigned(
    head: Head,
    own: KeptCheckpoint | undefined,
    signal: AbortSignal,
  ): Promise<KeptCheckpoint | undefined> {
    const known = own ?? head.recorded;
    if (!own && head.recorded) {
      say('lost', () => {
        log.warn(
          { file: file.path },
          'the file has no checkpoint of this log, but the database has: was it lost?',
        );
      });
    }
    try {
      return (await copies?.newerThan(head.origin, known?.size ?? 1n, signal)) ?? known;
    } catch (err) {
      signal.throwIfAborted();
      say('bucket', () => log.warn({ err }, 'the bucket of checkpoints cannot be looked at'));
      return known;
    }
  }

  /** Puts it wherever it is to be kept; answers it with cosignatures, or undefined where it has to wait for more. */
  async function publish(
    signed: KeptCheckpoint,
    head: Head,
    signal: AbortSignal,
  ): Promise<KeptCheckpoint | undefined> {
    const news: PlaceNews[] = [{ place: filePlace, kind: 'file', failure: null }];
    let kept = signed;
    let isWhole = true;
    if (witnesses) {
      const cosigned = await witnesses.cosign(signed, {
        readProof: (from, to) => readProof(db, from, to),
        signal,
      });
      ({ kept, isWhole } = cosigned);
      news.push(...cosigned.news);
      if (kept !== signed) await file.append(kept.note);
    }
    const isHeldBack = areWitnessesRequired && !isWhole;
    if (copies && !isHeldBack) news.push(await copy(copies, kept, signal));
    for (const { place, failure } of news) {
      if (failure !== null)
        say(place, () =>
          log.warn({ place, failure }, 'a checkpoint could not be kept there; it is tried again'),
        );
    }
    await note(head.epoch, kept.size, news);
    return isHeldBack ? undefined : kept;
  }

  async function copy(to: BucketCopies, kept: KeptCheckpoint, signal: AbortSignal): Promise<PlaceNews> {
    let failure: string | null = null;
    try {
      if ((await to.put(kept, signal)) === 'unlocked') {
        say('unlocked', () => {
          log.warn(
            { bucket: to.name },
            'the bucket of checkpoints has no Object Lock: whoever may write there may remove them',
          );
        });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DocketError && error.code === 'CHECKPOINT_FORK') throw error;
      failure = failureOf(error);
    }
    return { place: to.name, kind: 'bucket', failure };
  }

  async function note(epoch: number, size: bigint, news: readonly PlaceNews[]): Promise<void> {
    await commands.noteCheckpointPlaces(db, {
      epoch,
      places: news.map(({ place }) => place),
      kinds: news.map(({ kind }) => kind),
      sizes: news.map(({ failure }) => (failure === null ? String(size) : null)),
      failures: news.map(({ failure }) => failure),
    });
  }

  async function step(head: Head, signal: AbortSignal): Promise<boolean> {
    const own = await file.newest(head.origin);
    const signed = await newestSigned(head, own, signal);
    // What was signed after the head was read is none of it; what only the database has kept holds nothing up.
    const isStale = signed !== undefined && signed.size > head.size;
    const isBehind = head.recorded !== undefined && (own?.size ?? 0n) < head.recorded.size;
    const now = isStale || isBehind ? await readHead(db, seconds, own?.size ?? 0n) : head;
    if (now?.origin !== head.origin) return false;
    if (signed) await requireGoesOn(db, now, signed);
    const isUnfinished = signed !== undefined && signed.size > (now.recorded?.size ?? 0n);
    if (!isUnfinished && !now.isDue) return false;
    const kept = await publish(
      isUnfinished ? signed : await signHead(db, now, { signer, file }),
      now,
      signal,
    );
    if (!kept) return false;
    await commands.recordCheckpoint(db, { note: kept.note });
    log.debug({ origin: kept.origin, size: String(kept.size) }, 'a checkpoint was signed and kept');
    return true;
  }

  return {
    async round(signal) {
      const head = await readHead(db, seconds, null);
      if (!head) return false;
      try {
        return await step(head, signal);
      } catch (err) {
        if (!(err instanceof DocketError && err.code === 'CHECKPOINT_FORK')) throw err;
        say('fork', () =>
          log.error({ err }, 'CHECKPOINT_FORK: no checkpoint is signed until this is resolved'),
        );
        await note(head.epoch, head.size, [
          { place: filePlace, kind: 'file', failure: `${err.code}: ${err.message}` },
        ]);
        return false;
      }
    },
  };
}
