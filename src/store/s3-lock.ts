import {
  GetObjectLockConfigurationCommand,
  HeadObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectRetentionCommand,
} from '@aws-sdk/client-s3';
import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { call } from './s3-call.ts';
import { isUnknownRequest } from './s3-listing.ts';
import { versionOf } from './s3-place.ts';
import type { NamedObject, S3Place } from './s3-place.ts';

/** Whether the bucket has Object Lock. Without it, or on a server that does not know of it, nothing can be retained. */
export async function hasObjectLock(place: S3Place, signal: AbortSignal): Promise<boolean> {
  const doing = { act: 'looking at', locator: place.beginning } as const;
  try {
    const { ObjectLockConfiguration: found } = await call(doing, place.patience, signal, (abortSignal) =>
      place.client.send(new GetObjectLockConfigurationCommand({ Bucket: place.bucket }), { abortSignal }),
    );
    return found?.ObjectLockEnabled === 'Enabled';
  } catch (error) {
    const isAbsent = error instanceof DocketError && error.code === 'OBJECT_NOT_FOUND';
    if (isAbsent || isUnknownRequest(error)) return false;
    throw error;
  }
}

/**
 * Brings the lock of a version (the current one, if none is named) to what is wanted, and looks whether it is there. A retention is never
 * shortened, nor a compliance turned into a governance.
 */
export async function protectVersion(
  place: S3Place,
  named: NamedObject,
  wanted: { retainUntil: Date | null; isHeld: boolean; signal: AbortSignal },
): Promise<'protected' | 'unsupported'> {
  const { client, patience, lockMode } = place;
  const { isHeld, signal } = wanted;
  const locator = place.beginning + named.Key;
  const look = (at: NamedObject) =>
    call({ act: 'looking at', locator }, patience, signal, (abortSignal) =>
      client.send(new HeadObjectCommand(at), { abortSignal }),
    );
  const found = await look(named);
  if (!(await hasObjectLock(place, signal))) return 'unsupported';
  const version = named.VersionId ?? versionOf(found.VersionId);
  const at: NamedObject = { ...named, ...(version === null ? {} : { VersionId: version }) };

  const retainUntil = later(wanted.retainUntil, found);
  if (retainUntil !== undefined) {
    const isCompliance = lockMode === 'compliance' || found.ObjectLockMode === 'COMPLIANCE';
    const command = new PutObjectRetentionCommand({
      ...at,
      Retention: { Mode: isCompliance ? 'COMPLIANCE' : 'GOVERNANCE', RetainUntilDate: retainUntil },
    });
    await call({ act: 'protecting', locator }, patience, signal, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
  }
  const isHeldNow = found.ObjectLockLegalHoldStatus === 'ON';
  if (isHeld !== isHeldNow) {
    const command = new PutObjectLegalHoldCommand({ ...at, LegalHold: { Status: isHeld ? 'ON' : 'OFF' } });
    await call({ act: 'protecting', locator }, patience, signal, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
  }
  if (retainUntil === undefined && isHeld === isHeldNow) return 'protected';
  const now = await look(at);
  if (later(wanted.retainUntil, now) === undefined && (now.ObjectLockLegalHoldStatus === 'ON') === isHeld) {
    return 'protected';
  }
  throw new DocketError('STORE_UNAVAILABLE', `${locator} is not locked, though the object store said so`);
}

/** The time to retain it until, if that is later than what is set; whole seconds, as the protocol has no finer ones. */
function later(wanted: Date | null, found: HeadObjectCommandOutput): Date | undefined {
  if (wanted === null || wanted.getTime() <= Date.now()) return undefined;
  const until = new Date(Math.ceil(wanted.getTime() / 1000) * 1000);
  const now = found.ObjectLockRetainUntilDate?.getTime() ?? 0;
  return until.getTime() > now ? until : undefined;
}
