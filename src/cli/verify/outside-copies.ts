import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { CheckpointBucket } from '../../checkpoints/bucket.ts';
import { openCheckpointFile } from '../../checkpoints/checkpoint-file.ts';
import type { KeptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import { keptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import { openCheckpointBucket } from '../../checkpoints/open-publisher.ts';
import type { Config } from '../../config.ts';
import { DocketError } from '../../errors.ts';
import { refuseFile } from '../scan-files.ts';
import type { LogSpans } from './log-spans.ts';

/** Checkpoints as they are kept outside the database. */
export interface OutsideCopy {
  /** As the signer names it too. */
  readonly place: string;
  readonly kind: 'file' | 'bucket' | 'given';
  /** The newest that it has of each span of the log, at least one of each. */
  readonly checkpoints: readonly KeptCheckpoint[];
  /** Why it could not be looked at. */
  readonly failure: string | null;
}

/** Looks at every copy that this configuration names, and at one that was given. An empty one is there, with no checkpoints. */
export async function readOutsideCopies(
  config: Config,
  spans: Pick<LogSpans, 'epochs' | 'size'>,
  { given, signal }: { given: string | undefined; signal: AbortSignal },
): Promise<OutsideCopy[]> {
  const file = openCheckpointFile(config.checkpointFile);
  const bucket = await openCheckpointBucket(config);
  return Promise.all([
    look(`${hostname()}:${config.checkpointFile}`, 'file', () => file.recent()),
    ...(bucket ? [look(bucket.name, 'bucket', () => newestInBucket(bucket, spans, signal))] : []),
    ...(given === undefined ? [] : [readGiven(given)]),
  ]);
}

/** A note, or a copy of a file of checkpoints. */
async function readGiven(path: string): Promise<OutsideCopy> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => refuseFile(path, error));
  try {
    const checkpoints = text.startsWith('{')
      ? await openCheckpointFile(path).recent()
      : [keptCheckpoint(text)];
    if (checkpoints.length === 0) throw new SyntaxError('it holds none');
    return { place: path, kind: 'given', checkpoints, failure: null };
  } catch (cause) {
    throw new DocketError('USAGE', `${path} is no checkpoint: ${(cause as Error).message}`, {
      cause,
      hint: 'a signed note, as docket checkpoint show prints it, or a copy of the file of checkpoints',
    });
  }
}

async function look(
  place: string,
  kind: OutsideCopy['kind'],
  read: () => Promise<KeptCheckpoint[]>,
): Promise<OutsideCopy> {
  try {
    return { place, kind, checkpoints: await read(), failure: null };
  } catch (error) {
    return { place, kind, checkpoints: [], failure: (error as Error).message };
  }
}

/** The newest checkpoint of each span. Sizes are asked for from where the database is on, and from further back if none is there. */
async function newestInBucket(
  bucket: CheckpointBucket,
  spans: Pick<LogSpans, 'epochs' | 'size'>,
  signal: AbortSignal,
): Promise<KeptCheckpoint[]> {
  const newest = spans.epochs.map(async ({ origin }) => {
    for (const from of [spans.size, spans.size - spans.size / 16n, 1n]) {
      const size = (await bucket.sizesFrom(origin, from, signal)).at(-1);
      if (size !== undefined) return bucket.read(origin, size, signal);
    }
    return undefined;
  });
  return (await Promise.all(newest)).filter((one) => one !== undefined);
}
