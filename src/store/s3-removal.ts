import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { call, UntrueAnswer, untilTrue } from './s3-call.ts';
import { isPassing } from './s3-errors.ts';
import { listVersions } from './s3-listing.ts';
import type { NamedObject, S3Place } from './s3-place.ts';
import type { Removal } from './store.ts';

/**
 * Removes the version that is named, or every version of the key if none is: without a version S3 would only hide the
 * object. What Object Lock retains or holds stays; the latest time of those is told. That the rest is gone is looked after.
 */
export function removeObject(
  place: S3Place,
  named: NamedObject,
  locator: string,
  signal: AbortSignal,
): Promise<Removal> {
  return untilTrue(place.patience, signal, async () => {
    let removal: Removal = { isRemoved: true };
    for (const version of await versionsOf(place, named, signal)) {
      const one = await removeVersion(place, version, locator, signal);
      if (!one.isRemoved) removal = both(removal, one);
    }
    if (removal.isRemoved && (await look(place, named, locator, signal))) {
      throw new UntrueAnswer(`${locator} is still there after the object store removed it`);
    }
    return removal;
  });
}

async function versionsOf(place: S3Place, named: NamedObject, signal: AbortSignal): Promise<NamedObject[]> {
  if (named.VersionId !== undefined) return [named];
  const found: NamedObject[] = [];
  for await (const { key, versionId } of listVersions(place, named.Key, signal)) {
    if (key !== named.Key) continue;
    found.push({ ...named, ...(versionId === undefined ? {} : { VersionId: versionId }) });
  }
  return found;
}

async function removeVersion(
  place: S3Place,
  named: NamedObject,
  locator: string,
  signal: AbortSignal,
): Promise<Removal> {
  try {
    await call({ act: 'removing', locator }, place.patience, signal, (abortSignal) =>
      place.client.send(new DeleteObjectCommand(named), { abortSignal }),
    );
    return { isRemoved: true };
  } catch (error) {
    if (!(error instanceof DocketError) || isPassing(error)) throw error;
    if (error.code === 'OBJECT_NOT_FOUND') return { isRemoved: true };
    const found = await look(place, named, locator, signal);
    const retainedUntil = found?.ObjectLockRetainUntilDate ?? null;
    const isHeld = found?.ObjectLockLegalHoldStatus === 'ON';
    if (retainedUntil === null && !isHeld) throw error;
    return { isRemoved: false, retainedUntil, isHeld };
  }
}

/** What is known of an object, or undefined if it is not there. */
async function look(
  { client, patience }: S3Place,
  named: NamedObject,
  locator: string,
  signal: AbortSignal,
): Promise<HeadObjectCommandOutput | undefined> {
  try {
    return await call({ act: 'looking at', locator }, patience, signal, (abortSignal) =>
      client.send(new HeadObjectCommand(named), { abortSignal }),
    );
  } catch (error) {
    if (error instanceof DocketError && error.code === 'OBJECT_NOT_FOUND') return undefined;
    throw error;
  }
}

function both(one: Removal, other: Exclude<Removal, { isRemoved: true }>): Removal {
  if (one.isRemoved) return other;
  const times = [one.retainedUntil, other.retainedUntil].filter((time) => time !== null);
  return {
    isRemoved: false,
    retainedUntil: times.length === 0 ? null : new Date(Math.max(...times.map(Number))),
    isHeld: one.isHeld || other.isHeld,
  };
}
