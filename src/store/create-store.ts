import type { Config } from '../config.ts';
import { createFileStore } from './file-store.ts';
import { createMemoryStore } from './memory-store.ts';
import type { ObjectStore } from './store.ts';

/** The object store that the configuration names: `file:/FOLDER`, made on first use, or `memory:`. */
export function createStore(config: Pick<Config, 'store'>): ObjectStore {
  return config.store === 'memory:'
    ? createMemoryStore()
    : createFileStore(config.store.slice('file:'.length));
}
