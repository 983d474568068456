import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';

/** A bundle that is being written: a tar archive of plain files. */
export interface BundleWriter {
  add(name: string, bytes: Uint8Array): Promise<void>;
  addFile(name: string, file: string): Promise<void>;
  /** Ends the archive; resolves once it is on the disk. */
  end(): Promise<void>;
  /** Stops writing; nothing is to be expected of the file. */
  abandon(): Promise<void>;
}

/** The same of every file, so that the same facts make the same bytes. */
const HEADER = { mode: 0o644, mtime: new Date(0) };

/** Writes to a new file that only its owner can read. */
export function openBundleWriter(file: string, signal: AbortSignal): BundleWriter {
  const archive = pack();
  const written = pipeline(archive, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), {
    signal,
  });
  written.catch(() => undefined);
  return {
    add: (name, bytes) => Promise.race([addBytes(archive, name, bytes), failure(written)]),
    async addFile(name, source) {
      const { size } = await stat(source);
      await pipeline(createReadStream(source), archive.entry({ ...HEADER, name, size }), { signal });
    },
    async end() {
      archive.finalize();
      await written;
    },
    async abandon() {
      archive.destroy();
      await written.catch(() => undefined);
    },
  };
}

function addBytes(archive: Pack, name: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ ...HEADER, name }, Buffer.from(bytes), (error) => (error ? reject(error) : resolve()));
  });
}

/** Rejects when writing fails, and does nothing else: an entry would wait for ever. */
function failure(written: Promise<void>): Promise<never> {
  return new Promise((_, reject) => void written.catch(reject));
}
