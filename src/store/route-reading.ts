import { DocketError } from '../errors.ts';
import type { ObjectStore } from './store.ts';

/**
 * A store that also reads what others have: the locators that begin as named are theirs. Everything else, and all that is
 * written, concerns the first. What belongs to others is neither removed nor protected: STORE_DENIED.
 */
export function routeReading(
  main: ObjectStore,
  others: Readonly<Record<string, Pick<ObjectStore, 'get' | 'stat'>>>,
): ObjectStore {
  const other = (locator: string) =>
    Object.entries(others).find(([beginning]) => locator.startsWith(beginning))?.[1];
  const refuseForeign = (locator: string): void => {
    if (other(locator) === undefined) return;
    throw new DocketError('STORE_DENIED', `${locator} lies in a bucket that Docket only reads`, {
      hint: 'have the owner of that bucket remove or lock it',
    });
  };
  return {
    ...main,
    get: (reference, options) => (other(reference.locator) ?? main).get(reference, options),
    stat: (reference, options) => (other(reference.locator) ?? main).stat(reference, options),
    async remove(reference, options) {
      refuseForeign(reference.locator);
      return main.remove(reference, options);
    },
    async protect(reference, options) {
      refuseForeign(reference.locator);
      return main.protect(reference, options);
    },
  };
}
