import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';
import { keyOf, locatorOf } from './locator.ts';
import type { ObjectReference, ObjectStore } from './store.ts';
import { untilAborted } from './until-aborted.ts';

const CHUNK_BYTES = 65_536;

/** A store that lives and dies with the process: for tests, and for benches that should not measure a disk. */
export function createMemoryStore(): ObjectStore {
  const objects = new Map<string, { content: Buffer; storedAt: Date }>();
  const contentOf = (reference: ObjectReference, signal: AbortSignal): Buffer => {
    const object = objects.get(keyOf(reference, 'memory:'));
    signal.throwIfAborted();
    if (object !== undefined) return object.content;
    throw new DocketError('OBJECT_NOT_FOUND', `no object is called ${reference.locator}`);
  };
  return {
    async put(bytes, { folder, signal } = {}) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of untilAborted(bytes, signal)) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(content).digest();
      const locator = locatorOf('memory:', folder, sha256.toString('hex'));
      const key = keyOf({ locator, version: null }, 'memory:');
      if (!objects.has(key)) objects.set(key, { content, storedAt: new Date() });
      return { locator, version: null, sha256, sizeBytes: content.length };
    },

    // Declared async so that what is wrong with a name becomes a rejection.

    async get(reference, { signal }) {
      return new Slices(contentOf(reference, signal), signal);
    },

    async stat(reference, { signal }) {
      return { sizeBytes: contentOf(reference, signal).length, retainUntil: null, isHeld: false };
    },

    async remove(reference, { signal }) {
      const key = keyOf(reference, 'memory:');
      signal.throwIfAborted();
      objects.delete(key);
      return { isRemoved: true };
    },

    canProtect: () => Promise.resolve(false),

    async protect(reference, { signal }) {
      contentOf(reference, signal);
      return 'unsupported';
    },

    async *list({ signal }) {
      for (const [key, { content, storedAt }] of objects) {
        signal.throwIfAborted();
        yield { locator: `memory:${key}`, version: null, sizeBytes: content.length, storedAt };
      }
    },
  };
}

/**
 * In pieces, as a disk or a network would hand it out. A loop is given the pieces as they are: the machinery by which a stream
 * waits for its source takes longer than to read a small object.
 */
class Slices extends Readable {
  readonly #slices: Iterator<Buffer>;

  constructor(content: Buffer, signal: AbortSignal) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#slices = slices(content, signal);
  }

  override _read(): void {
    try {
      const next = this.#slices.next();
      this.push(next.done ? null : next.value);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, undefined> {
    try {
      for (let next = this.#slices.next(); !next.done; next = this.#slices.next()) {
        if (this.destroyed) throw this.errored ?? new Error('the stream was closed before its end');
        yield next.value;
      }
      return undefined;
    } finally {
      this.destroy();
    }
  }
}

function* slices(content: Buffer, signal: AbortSignal): Generator<Buffer> {
  for (let start = 0; start < content.length; start += CHUNK_BYTES) {
    signal.throwIfAborted();
    yield content.subarray(start, start + CHUNK_BYTES);
  }
}
