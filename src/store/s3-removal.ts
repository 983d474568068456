import { DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { call } from './s3-call.ts';
import { isPassing } from './s3-errors.ts';
import { listVersions } from './s3-listing.ts';
import type { NamedObject, S3Place } from './s3-place.ts';
import type { Removal } from './store.ts';

/**
 * Removes the version that is named, or every version of the key if none is: without a version S3 would only hide the
 * object. What Object Lock retains or holds stays; the latest time of those is told. That the rest is gone is looked after.
 */
export async function removeObject(
  place: S3Place,
  named: NamedObject,
  locator: string,
  signal: AbortSignal,
): Promise<Removal> {
  let removal: Removal = { isRemoved: true };
  for (const version of await versionsOf(place, named, signal)) {
    const one = await removeVersion(place, version, locator, signal);
    if (!one.isRemoved) removal = both(removal, one);
  }
  return removal;
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
  { client, patience }: S3Place,
  named: NamedObject,
  locator: string,
  signal: AbortSignal,
): Promise<Removal> {
  const look = () =>
    call({ act: 'looking at', locator }, patience, signal, (abortSignal) =>
      client.send(new HeadObjectCommand(named), { abortSignal }),
    ).catch((error: unknown) => {
      if (error instanceof DocketError && error.code === 'OBJECT_NOT_FOUND') return undefined;
      throw error;
    });
  try {
    await call({ act: 'removing', locator }, patience, signal, (abortSignal) =>
      client.send(new DeleteObjectCommand(named), { abortSignal }),
    );
  } catch (error) {
    if (!(error instanceof DocketError) || isPassing(error)) throw error;
    if (error.code === 'OBJECT_NOT_FOUND') return { isRemoved: true };
    const found = await look();
    const retainedUntil = found?.ObjectLockRetainUntilDate ?? null;
    const isHeld = found?.ObjectLockLegalHoldStatus === 'ON';
    if (retainedUntil === null && !isHeld) throw error;
    return { isRemoved: false, retainedUntil, isHeld };
  }
  if ((await look()) === undefined) return { isRemoved: true };
  throw new DocketError('STORE_UNAVAILABLE', `${locator} is still there after the object store removed it`);
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
