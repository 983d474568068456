import { createHash } from 'node:crypto';
import { readCheckpoint, type Checkpoint } from '../../domain/checkpoint.ts';
import { jobIdOf } from '../../domain/job-id.ts';
import { readVerifierKey, type VerifierKey } from '../../domain/verifier-key.ts';
import { readBundle, type BundleFiles } from '../bundle-files.ts';
import { hexOf } from '../byte-reader.ts';
import { readReceiptKeys } from '../receipt-keys.ts';

/** What a file was taken for. */
export type TakenFile = { readonly name: string } & (
  | { readonly kind: 'bundle'; readonly bundle: BundleFiles }
  | { readonly kind: 'log keys'; readonly keys: readonly VerifierKey[] }
  | { readonly kind: 'receipt keys'; readonly keys: readonly Uint8Array[] }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'scan'; readonly sha256: string; readonly jobId: string; readonly sizeBytes: number }
  | { readonly kind: 'refused'; readonly why: string }
);

/** Keys and checkpoints are short; what is longer is not even tried. */
const MOST_BYTES = 1_048_576;

/** Reads a file, whatever it is: a bundle, keys, a checkpoint; anything else counts as the scan of a document. */
export async function takeFile(file: File): Promise<TakenFile> {
  const { name, size } = file;
  try {
    if (await isArchive(file)) return { name, kind: 'bundle', bundle: await readBundle(bytesOf(file)) };
    if (size <= MOST_BYTES) {
      const text = await file.text();
      const known = takeText(name, text);
      if (known) return known;
    }
    return { name, kind: 'scan', sizeBytes: size, ...(await hashes(file)) };
  } catch (error) {
    // Whatever it is, such as too little memory: a file that is passed over in silence would seem to be verified.
    return { name, kind: 'refused', why: error instanceof SyntaxError ? error.message : String(error) };
  }
}

/** A text of keys or a checkpoint; undefined where it has not the look of either. Throws SyntaxError for a broken one. */
export function takeText(name: string, text: string): TakenFile | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length > 0 && lines.every((line) => /^[^\s+]+\+[0-9a-f]{8}\+\S+/.test(line.trim()))) {
    // a line of a list of witnesses has an address behind the key
    const keys = lines.map((line) => readVerifierKey(line.trim().split(/\s/, 1)[0] ?? ''));
    return { name, kind: 'log keys', keys };
  }
  if (/^\s*\{[^]*"kty"/.test(text) || /^-----BEGIN PUBLIC KEY-----/m.test(text)) {
    return { name, kind: 'receipt keys', keys: readReceiptKeys(text) };
  }
  if (text.includes('\n\n— ')) return { name, kind: 'checkpoint', checkpoint: readCheckpoint(text) };
  return undefined;
}

async function isArchive(file: File): Promise<boolean> {
  const magic = await file.slice(257, 262).text();
  return magic === 'ustar';
}

async function hashes(file: File): Promise<{ sha256: string; jobId: string }> {
  const hash = createHash('sha256');
  for await (const piece of bytesOf(file)) hash.update(piece);
  const sha256 = hash.digest();
  return { sha256: hexOf(sha256), jobId: jobIdOf(sha256) };
}

/** The bytes of a file as they come; not every browser lets its streams be iterated. */
async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
