import { DocketError } from '../errors.ts';
import type { ObjectReference } from './store.ts';

/**
 * The key inside a locator that begins so (`file:ab/abcd…` with `file:` → `ab/abcd…`). A key is made of segments between
 * single slashes, none of them `.` or `..`, without backslash or control character, so that it can never leave the store.
 * Throws LOCATOR_INVALID for anything else, and for a version unless the store has versions.
 */
export function keyOf(reference: ObjectReference, beginning: string, { hasVersions = false } = {}): string {
  const { locator, version } = reference;
  if (!locator.startsWith(beginning)) {
    throw invalid(locator, `this store takes locators of the form ${beginning}KEY`);
  }
  if (version !== null && !hasVersions)
    throw invalid(locator, `objects of a ${beginning} store have no versions`);
  const key = locator.slice(beginning.length);
  const segments = key.split('/');
  const isSafe =
    Buffer.byteLength(key) <= 1024 && segments.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe || HOSTILE.test(key)) {
    throw invalid(locator, 'a key has segments between single slashes, none of them "." or ".."');
  }
  if (version !== null && (version === '' || version.length > 1024 || HOSTILE.test(version))) {
    throw invalid(locator, 'the version is not one that a store gives');
  }
  return key;
}

const HOSTILE = /[\\\p{Cc}\p{Cs}]/u;

/** The locator of the object with this name, in a folder of the store if one is named. Throws LOCATOR_INVALID. */
export function locatorOf(beginning: string, folder: string | undefined, name: string): string {
  const locator = `${beginning}${folder === undefined ? '' : `${folder}/`}${name}`;
  keyOf({ locator, version: null }, beginning);
  return locator;
}

function invalid(locator: string, hint: string): DocketError {
  return new DocketError('LOCATOR_INVALID', `"${locator.slice(0, 200)}" is not a locator of this store`, {
    hint,
  });
}
