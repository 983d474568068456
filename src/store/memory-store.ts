import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';
import { keyOf, locatorOf } from './locator.ts';
import type { ObjectStore } from './store.ts';

const CHUNK_BYTES = 65_536;

/** A store that lives and dies with the process: for tests, and for benches that should not measure a disk. */
export function createMemoryStore(): ObjectStore {
  const objects = new Map<string, Buffer>();
  return {
    async put(bytes, { folder } = {}) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(content).digest();
      const locator = locatorOf('memory', folder, sha256.toString('hex'));
      objects.set(keyOf({ locator, version: null }, 'memory'), content);
      return { locator, version: null, sha256, sizeBytes: content.length };
    },

    async get(reference, { signal }) {
      const content = objects.get(keyOf(reference, 'memory'));
      if (content === undefined) {
        throw new DocketError('OBJECT_NOT_FOUND', `no object is called ${reference.locator}`);
      }
      signal.throwIfAborted();
      return Readable.from(slices(content, signal), { objectMode: false });
    },
  };
}

/** In pieces, as a disk or a network would hand it out. */
function* slices(content: Buffer, signal: AbortSignal): Generator<Buffer> {
  for (let start = 0; start < content.length; start += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield content.subarray(start, start + CHUNK_BYTES);
  }
}
