import { createHash } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { writeDraft } from './draft-file.ts';
import type { DraftFile } from './draft-file.ts';
import { locatorOf } from './locator.ts';
import { streamBody } from './s3-body.ts';
import { callOnce, UntrueAnswer, untilTrue, withRetries } from './s3-call.ts';
import { statusOf } from './s3-errors.ts';
import { listVersions } from './s3-listing.ts';
import { removeObject } from './s3-removal.ts';
import { named, versionOf } from './s3-place.ts';
import type { S3Place } from './s3-place.ts';
import type { StoredObject } from './store.ts';
import { untilAborted } from './until-aborted.ts';

/** How an object was found when it was read back. */
interface Seen {
  content: 'right' | 'other' | 'none';
  version: string | null;
}

/**
 * Stores bytes under their SHA-256. They are sent in one request, so that the condition "only if nothing has that name"
 * holds everywhere; for parts put together, some servers ignore it. An answer is not believed: the object is read back and hashed. One that
 * is there already (by another's put, or by an earlier try whose answer was lost) must be the same.
 */
export async function putObject(
  place: S3Place,
  bytes: AsyncIterable<Uint8Array>,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<StoredObject> {
  // A folder that is no folder is refused before anything is read.
  locatorOf(place.beginning + place.prefix, folder, 'ab/cd');
  const draft = await writeDraft(place.draftFolder, untilAborted(bytes, signal));
  try {
    const hex = draft.sha256.toString('hex');
    const locator = locatorOf(place.beginning + place.prefix, folder, `${hex.slice(0, 2)}/${hex}`);
    const { sha256, sizeBytes } = draft;
    const version = await untilTrue(place.patience, signal, () => store(place, locator, draft, signal));
    return { locator, version, sha256, sizeBytes };
  } finally {
    await draft.close();
  }
}

/** One try; resolves to the version. */
async function store(
  place: S3Place,
  locator: string,
  draft: DraftFile,
  signal: AbortSignal,
): Promise<string | null> {
  const sent = await withRetries(place.patience, signal, () => send(place, locator, draft, signal));
  let seen = await readBack(place, locator, sent.version, draft, signal);
  // Once more, in case only the answer was damaged on its way.
  if (seen.content === 'other') seen = await readBack(place, locator, sent.version, draft, signal);
  if (seen.content === 'right')
    return sent.isNew ? firstVersion(place, locator, seen.version, draft, signal) : seen.version;
  const mismatch = `${locator} does not hold the bytes that were put there`;
  if (seen.content === 'other' && !sent.isNew) {
    throw new DocketError('HASH_MISMATCH', mismatch, {
      hint: 'the object store or a person changed it: restore that object from a copy',
    });
  }
  if (seen.content === 'other')
    await removeObject(place, named(place, { locator, version: sent.version }), locator, signal);
  throw new UntrueAnswer(`${mismatch}, though the object store said so`);
}

/**
 * The version to pin. Some servers do not look at the condition in a bucket with versions (Ceph's radosgw 16): puts at the
 * same time, or a try whose answer was lost, then leave several. The first one is kept; a later one of ours is taken back.
 */
async function firstVersion(
  place: S3Place,
  locator: string,
  ours: string | null,
  draft: DraftFile,
  signal: AbortSignal,
): Promise<string | null> {
  if (ours === null) return ours;
  const object = named(place, { locator, version: null });
  let first: string | null = ours;
  // Listed from the newest to the oldest.
  for await (const { key, version } of listVersions(place, object.Key, signal)) {
    if (key === object.Key) first = version;
  }
  if (first === ours) return ours;
  const seen = await readBack(place, locator, first, draft, signal);
  if (seen.content !== 'right') return ours;
  await removeObject(place, named(place, { locator, version: ours }), locator, signal);
  return first;
}

/** Sends the bytes, signed with their hash: a server that checks signatures refuses other ones. */
async function send(
  place: S3Place,
  locator: string,
  draft: DraftFile,
  signal: AbortSignal,
): Promise<{ isNew: boolean; version: string | null }> {
  try {
    const { VersionId } = await callOnce(
      { act: 'writing', locator },
      place.patience,
      signal,
      async (abortSignal, touch) => {
        const body = draft.read(touch);
        try {
          const command = new PutObjectCommand({
            ...named(place, { locator, version: null }),
            Body: draft.sizeBytes === 0 ? '' : body,
            ContentLength: draft.sizeBytes,
            ContentMD5: draft.md5.toString('base64'),
            ContentType: 'application/octet-stream',
            IfNoneMatch: '*',
          });
          command.middlewareStack.add(
            (next) => (args) => {
              const { headers } = args.request as { headers: Record<string, string> };
              headers['x-amz-content-sha256'] = draft.sha256.toString('hex');
              return next(args);
            },
            { step: 'build', name: 'signTheHashOfTheBody' },
          );
          return await place.client.send(command, { abortSignal });
        } finally {
          body.destroy();
        }
      },
    );
    return { isNew: true, version: versionOf(VersionId) };
  } catch (error) {
    const isThere = error instanceof DocketError && statusOf(error.cause) === 412;
    if (isThere) return { isNew: false, version: null };
    throw error;
  }
}

async function readBack(
  place: S3Place,
  locator: string,
  version: string | null,
  draft: DraftFile,
  signal: AbortSignal,
): Promise<Seen> {
  const { client, patience } = place;
  try {
    return await withRetries(patience, signal, async () => {
      const command = new GetObjectCommand(named(place, { locator, version }));
      const answer = await callOnce({ act: 'reading', locator }, patience, signal, (abortSignal) =>
        client.send(command, { abortSignal }),
      );
      const hash = createHash('sha256');
      for await (const piece of streamBody(answer.Body, { locator, idleMs: patience.idleMs, signal })) {
        hash.update(piece as Buffer);
      }
      const content = hash.digest().equals(draft.sha256) ? 'right' : 'other';
      return { content, version: versionOf(answer.VersionId) ?? version };
    });
  } catch (error) {
    if (!(error instanceof DocketError && error.code === 'OBJECT_NOT_FOUND')) throw error;
    return { content: 'none', version };
  }
}
