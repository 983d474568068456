import type { ByteSource } from './byte-source.ts';
import { jpegScanOffset } from './picture-header.ts';

const CHUNK = 1 << 20;

/**
 * Whether a JPEG has an end-of-image marker after its (first) scan: the difference between a file that was cut off and
 * one that is damaged inside.
 */
export async function jpegIsComplete(source: ByteSource): Promise<boolean> {
  const scan = jpegScanOffset(await source.read(0, CHUNK));
  if (scan === undefined) return source.size > CHUNK;
  // Backwards, as the marker is nearly always the last thing in the file; one byte of overlap for a marker on the seam.
  for (let end = source.size; end > scan; end -= CHUNK) {
    const from = Math.max(scan, end - CHUNK);
    const bytes = await source.read(from, end - from + 1);
    if (bytes.includes('\xff\xd9', 0, 'latin1')) return true;
  }
  return false;
}

/** Follows a PNG's chunks to IEND. `trailing`: bytes that follow it. */
export async function pngEnding(source: ByteSource): Promise<{ complete: boolean; trailing: number }> {
  for (let offset = 8; ;) {
    const head = await source.read(offset, 8);
    if (head.length < 8) return { complete: false, trailing: 0 };
    offset += 12 + head.readUInt32BE(0);
    if (offset > source.size) return { complete: false, trailing: 0 };
    if (head.toString('latin1', 4, 8) === 'IEND') return { complete: true, trailing: source.size - offset };
  }
}
