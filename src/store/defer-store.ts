import type { ObjectStore } from './store.ts';

/** A store that is opened when it is first used. One that could not be opened is tried again the next time. */
export function deferStore(open: () => Promise<ObjectStore>): ObjectStore {
  let opening: Promise<ObjectStore> | undefined;
  const store = () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  return {
    put: async (bytes, options) => (await store()).put(bytes, options),
    get: async (reference, options) => (await store()).get(reference, options),
    stat: async (reference, options) => (await store()).stat(reference, options),
    remove: async (reference, options) => (await store()).remove(reference, options),
    canProtect: async (options) => (await store()).canProtect(options),
    protect: async (reference, options) => (await store()).protect(reference, options),
    async *list(options) {
      yield* (await store()).list(options);
    },
  };
}
