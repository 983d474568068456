import type { Config } from '../config.ts';
import { hasMarker, IF_AWAY, MARKER } from '../store/file-root.ts';

/** Whether the folder of a file store is there, as seen from this host; nothing is said of other stores. */
export interface StorePresence {
  readonly store: string;
  /** Null where it is. */
  readonly finding: { readonly consequence: string; readonly remedy: string } | null;
}

export async function storePresence({ store }: Pick<Config, 'store'>): Promise<StorePresence> {
  if (!store.startsWith('file:')) return { store, finding: null };
  const folder = store.slice('file:'.length);
  if (await hasMarker(folder).catch(() => false)) return { store, finding: null };
  return {
    store,
    finding: {
      consequence: `from this host the store counts as not mounted: ${folder} is missing or has no ${MARKER}`,
      remedy: IF_AWAY,
    },
  };
}
