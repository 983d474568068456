import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { putScan } from '../../sealing/put-scan.ts';
import type { ScanSink } from '../../sealing/put-scan.ts';
import { deliver } from '../deliver.ts';
import { refuseFile } from '../scan-files.ts';
import { copyOfScan } from './copy-of-scan.ts';
import type { LoadDocument } from './load-documents.ts';
import { LOAD_SOURCE } from './load-site.ts';

/** Documents that are delivered one after the other, without an end. */
export interface LoadFeed {
  /** Begins with the first document again, so that every level has the same to do. */
  rewind(): void;
  /** Seals, stores and delivers so many further ones; answers their jobs. */
  deliver(count: number, signal: AbortSignal): Promise<string[]>;
}

/** A feed of the documents, in their order and again from the first; each time each is another one. */
export function createLoadFeed(
  sink: ScanSink,
  sender: Parameters<typeof deliver>[0],
  documents: readonly LoadDocument[],
): LoadFeed {
  let at = 0;
  let copies = 0;
  return {
    rewind() {
      at = 0;
    },
    async deliver(count, signal) {
      const statements = [];
      for (let made = 0; made < count; made++) {
        signal.throwIfAborted();
        const document = documents[at++ % documents.length];
        if (document === undefined) break;
        const { path, mediaType } = document;
        const original = await readFile(path).catch((error: unknown) => refuseFile(path, error));
        const bytes = copyOfScan(original, mediaType, ++copies);
        const sha256 = createHash('sha256').update(bytes).digest();
        const put = await putScan(sink, { sourceId: LOAD_SOURCE, sha256, bytes: pieces(bytes), signal });
        const { object: locator, version, sizeBytes } = put;
        const now = new Date();
        statements.push({
          scan: { locator, version, sha256, sizeBytes, mediaType, modifiedAt: now },
          sourceId: LOAD_SOURCE,
          documentKind: 'unknown',
          capturedAt: now,
        });
      }
      return statements.length === 0 ? [] : (await deliver(sender, statements)).map(({ jobId }) => jobId);
    },
  };
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
