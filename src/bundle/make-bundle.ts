import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Queryable, ReadOriginalRow } from '../db/commands.ts';
import * as commands from '../db/commands.ts';
import { readCheckpoint } from '../domain/checkpoint.ts';
import { DocketError } from '../errors.ts';
import { readBundle } from '../verify/bundle-files.ts';
import { bundleJson, verifyBundle, type VerifiedBundle } from '../verify/verify-bundle.ts';
import { openBundleWriter, type BundleWriter } from './bundle-writer.ts';
import { waitUntilCovered } from './covered.ts';

export interface BundleOrder {
  readonly jobs: readonly string[];
  /** Why, in words: what is read is recorded with it. */
  readonly reason: string;
  /** Where it is written; whatever is there is replaced. */
  readonly file: string;
  /** Fetches an original into a file; undefined: originals are left out. */
  readonly fetchOriginal?:
    | ((places: readonly [ReadOriginalRow, ...ReadOriginalRow[]], file: string) => Promise<unknown>)
    | undefined;
  /** How long to wait for a checkpoint that covers everything. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Writes a bundle of documents, once it is seen to verify: a record that does not bear out what it says makes none. That they are
 * read is recorded, and committed, before: `db` must not be in a transaction. Answers what the verification gave.
 * Throws BUNDLE_UNSOUND, NOT_SEALED, ORIGINAL_NOT_FOUND, FILE_UNWRITABLE, ZD020, ZD021, ZD030, ZD058, what fetching an original
 * throws, or the signal's reason.
 */
export async function makeBundle(db: Queryable, order: BundleOrder): Promise<VerifiedBundle> {
  const { jobs, reason, file, fetchOriginal, signal } = order;
  for (const jobId of jobs) {
    await commands.noteReading(db, { jobId, of: 'text', reason });
    if (fetchOriginal) await commands.noteReading(db, { jobId, of: 'original', reason });
  }
  const { note, size } = await waitUntilCovered(db, order);
  const draft = `${file}.${randomBytes(8).toString('hex')}.part`;
  const writer = openBundleWriter(draft, signal);
  try {
    await writer.add('bundle.json', Buffer.from(bundleJson(readCheckpoint(note).origin)));
    await writer.add('checkpoint', Buffer.from(note));
    const originals: [string, ReadOriginalRow[]][] = [];
    for (const jobId of jobs) {
      for (const { name, bytes } of await commands.bundleOf(db, { jobId, size })) {
        await writer.add(`documents/${jobId}/${name}`, bytes);
      }
      if (fetchOriginal) originals.push([jobId, await commands.readOriginal(db, { jobId })]);
    }
    for (const [jobId, places] of originals) await addOriginal(writer, order, jobId, places);
    await writer.end();
    const verified = verifyBundle(await readBundle(createReadStream(draft)));
    requireSound(verified);
    await rename(draft, file);
    return verified;
  } catch (error) {
    await writer.abandon();
    signal.throwIfAborted();
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(file, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Fetched into a file of its own first, since a place may turn out to be damaged when half of it is read. */
async function addOriginal(
  writer: BundleWriter,
  { fetchOriginal, file }: BundleOrder,
  jobId: string,
  [first, ...others]: ReadOriginalRow[],
): Promise<void> {
  if (!first || !fetchOriginal) {
    throw new DocketError(
      'ORIGINAL_NOT_FOUND',
      `no bytes of document ${jobId} were ever seen to match its hash`,
      {
        hint: 'leave originals out',
      },
    );
  }
  const fetched = `${file}.${randomBytes(8).toString('hex')}.scan`;
  try {
    await fetchOriginal([first, ...others], fetched);
    await writer.addFile(`documents/${jobId}/original.${extensionOf(first.media_type)}`, fetched);
  } finally {
    await rm(fetched, { force: true });
  }
}

/** The end of a file name: `image/png` → `png`. */
function extensionOf(mediaType: string): string {
  return mediaType.replace(/^.*\//, '').replace(/[^a-z0-9]/g, '') || 'bin';
}

function requireSound({ steps }: VerifiedBundle): void {
  const failed = steps.find(({ ok }) => ok === false);
  if (!failed) return;
  const { jobId, name, item, computed, expected } = failed;
  throw new DocketError(
    'BUNDLE_UNSOUND',
    `the record of document ${jobId ?? ''} does not bear out what a bundle would say: ${name} of ${item} is ${computed}, not ${expected}`,
    { hint: 'somebody changed the record: docket verify' },
  );
}

function unwritable(file: string, cause: unknown): DocketError {
  return new DocketError('FILE_UNWRITABLE', `${file} cannot be written: ${String(cause)}`, { cause });
}
