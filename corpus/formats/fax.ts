import sharp from 'sharp';
import type { Raster } from '../raster.ts';

/** A page compressed as ITU-T T.6 ("group 4"): one strip of bits, most significant first. */
export interface FaxPage {
  width: number;
  height: number;
  dpi: number;
  strip: Buffer;
  /** TIFF's PhotometricInterpretation: 0 when a set bit means black, 1 when it means white. */
  photometric: number;
}

/** Compresses a page of pure black and white; the encoder's own container is taken apart and thrown away. */
export async function encodeFax(page: Raster, dpi: number): Promise<FaxPage> {
  const raw = { width: page.width, height: page.height, channels: page.channels };
  const tiff = await sharp(page.data, { raw })
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1, tileHeight: Math.ceil(page.height / 16) * 16 })
    .toBuffer();
  const tags = readFirstDirectory(tiff);
  const one = (tag: number): number => tags.get(tag)?.[0] ?? 0;
  const offsets = tags.get(273) ?? [];
  if (one(259) !== 4 || one(266) > 1) throw new Error('The TIFF encoder did not write plain group 4.');
  if (offsets.length !== 1) throw new Error(`Expected one strip, found ${offsets.length}.`);
  const strip = Buffer.from(tiff.subarray(offsets[0], offsets[0]! + one(279)));
  return { width: page.width, height: page.height, dpi, strip, photometric: one(262) };
}

/** The tags of whole numbers in a classic little-endian TIFF's first directory. */
function readFirstDirectory(tiff: Buffer): Map<number, number[]> {
  if (tiff.toString('latin1', 0, 2) !== 'II') throw new Error('Expected a little-endian TIFF.');
  const start = tiff.readUInt32LE(4);
  const tags = new Map<number, number[]>();
  for (let i = 0; i < tiff.readUInt16LE(start); i++) {
    const entry = start + 2 + i * 12;
    const type = tiff.readUInt16LE(entry + 2);
    const count = tiff.readUInt32LE(entry + 4);
    if (type !== 3 && type !== 4) continue;
    const size = type === 3 ? 2 : 4;
    const at = count * size > 4 ? tiff.readUInt32LE(entry + 8) : entry + 8;
    tags.set(
      tiff.readUInt16LE(entry),
      Array.from({ length: count }, (_, n) => tiff.readUIntLE(at + n * size, size)),
    );
  }
  return tags;
}
