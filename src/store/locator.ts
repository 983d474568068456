import { DocketError } from '../errors.ts';
import type { ObjectReference } from './store.ts';

/**
 * The key inside a locator of the given scheme (`file:ab/abcd…` → `ab/abcd…`). A key is made of segments between single
 * slashes, none of them `.` or `..`, without backslash or control character, so that it can never leave the store.
 * Throws LOCATOR_INVALID for anything else, and for a version, which stores of such locators do not have.
 */
export function keyOf(reference: ObjectReference, scheme: string): string {
  const { locator, version } = reference;
  if (!locator.startsWith(`${scheme}:`)) {
    throw invalid(locator, `this store takes locators of the form ${scheme}:KEY`);
  }
  if (version !== null) throw invalid(locator, `objects of a ${scheme}: store have no versions`);
  const key = locator.slice(scheme.length + 1);
  const segments = key.split('/');
  const isSafe = key.length <= 1024 && segments.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isSafe || /[\\\u0000-\u001f\u007f]/.test(key)) {
    throw invalid(locator, 'a key has segments between single slashes, none of them "." or ".."');
  }
  return key;
}

/** The locator of the object with this name, in a folder of the store if one is named. Throws LOCATOR_INVALID. */
export function locatorOf(scheme: string, folder: string | undefined, name: string): string {
  const locator = `${scheme}:${folder === undefined ? '' : `${folder}/`}${name}`;
  keyOf({ locator, version: null }, scheme);
  return locator;
}

function invalid(locator: string, hint: string): DocketError {
  return new DocketError('LOCATOR_INVALID', `"${locator.slice(0, 200)}" is not a locator of this store`, {
    hint,
  });
}
