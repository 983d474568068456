// What a bundle holds, by name. Format: docs/bundle.md.
import { createHash } from 'node:crypto';
import { hexOf } from './byte-reader.ts';
import { readTar, wholeOf, type TarEntry } from './tar.ts';

/** An original: of a large one only the hash is kept. */
export interface BundledOriginal {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The files of one document, by their names in its folder. */
export interface DocumentFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly original: BundledOriginal | undefined;
}

export interface BundleFiles {
  /** `bundle.json` and `checkpoint`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly documents: ReadonlyMap<string, DocumentFiles>;
}

/** Beyond either a bundle is refused; originals, which are not held in memory, do not count. */
const MOST_BYTES = 1024 ** 3;
const MOST_FILES = 1_000_000;

const IN_FOLDER =
  /^documents\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(events\/\d+\.(?:leaf|tlog-proof)|packets\/\d+|envelopes\/\d+|reports\/\d+|notes\/\d+|result|results\/\d+(?:\.ocr-config\.json)?|ocr-config\.json|text\/page-\d+\.txt|receipts\.jws|original(?:\.[a-z0-9]+)?)$/;

/** Reads a bundle from its bytes as they come. Throws SyntaxError where it is none. */
export async function readBundle(source: AsyncIterable<Uint8Array>): Promise<BundleFiles> {
  const files = new Map<string, Uint8Array>();
  const documents = new Map<
    string,
    { files: Map<string, Uint8Array>; original: BundledOriginal | undefined }
  >();
  let bytesLeft = MOST_BYTES;
  let filesLeft = MOST_FILES;
  for await (const entry of readTar(source)) {
    filesLeft -= 1;
    const [, jobId, name] = IN_FOLDER.exec(entry.name) ?? [];
    const isOriginal = name?.startsWith('original') === true;
    if (!isOriginal) bytesLeft -= entry.sizeBytes;
    if (filesLeft < 0 || bytesLeft < 0) throw new SyntaxError('the bundle is too large');
    if (jobId === undefined || name === undefined) {
      if (entry.name !== 'bundle.json' && entry.name !== 'checkpoint') {
        throw new SyntaxError(`a bundle has no file ${JSON.stringify(entry.name)}`);
      }
      add(files, entry.name, await wholeOf(entry));
      continue;
    }
    const document = documents.get(jobId) ?? { files: new Map<string, Uint8Array>(), original: undefined };
    documents.set(jobId, document);
    if (!isOriginal) add(document.files, name, await wholeOf(entry));
    else if (document.original) throw new SyntaxError(`document ${jobId} has two originals`);
    else document.original = await hashed(name, entry);
  }
  return { files, documents };
}

function add(files: Map<string, Uint8Array>, name: string, bytes: Uint8Array): void {
  if (files.has(name)) throw new SyntaxError(`the file ${name} is there twice`);
  files.set(name, bytes);
}

async function hashed(name: string, { sizeBytes, pieces }: TarEntry): Promise<BundledOriginal> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return { name, sha256: hexOf(hash.digest()), sizeBytes };
}
