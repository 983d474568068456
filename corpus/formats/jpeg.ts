import sharp from 'sharp';
import type { Raster } from '../raster.ts';

/** Encodes a page as a baseline JPEG of a quality 1..100 and gives it a JFIF header with its resolution. */
export async function encodeJpeg(page: Raster, quality: number, dpi: number): Promise<Buffer> {
  const raw = { width: page.width, height: page.height, channels: page.channels };
  const image = sharp(page.data, { raw }).toColourspace(page.channels === 1 ? 'b-w' : 'srgb');
  const bytes = await image.jpeg({ quality, chromaSubsampling: '4:2:0', mozjpeg: false }).toBuffer();
  // The encoder writes no JFIF header of its own, so there is none to replace.
  if (bytes[3] === 0xe0) throw new Error('The JPEG encoder wrote an APP0 segment; there must be only one.');
  const jfif = Buffer.from('ffe000104a46494600010101000000000000', 'hex');
  jfif.writeUInt16BE(dpi, 12);
  jfif.writeUInt16BE(dpi, 14);
  return Buffer.concat([bytes.subarray(0, 2), jfif, bytes.subarray(2)]);
}

/**
 * Puts an EXIF segment of one tag, the orientation (1 to 8), in front of all others. Its numbers are little-endian,
 * as most phones write them and as some readers forget.
 */
export function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.alloc(36);
  exif.writeUInt16BE(0xffe1, 0);
  exif.writeUInt16BE(34, 2);
  exif.write('Exif\0\0II', 4, 'latin1');
  exif.writeUInt16LE(42, 12);
  exif.writeUInt32LE(8, 14);
  exif.writeUInt16LE(1, 18);
  exif.writeUInt16LE(0x0112, 20);
  exif.writeUInt16LE(3, 22);
  exif.writeUInt32LE(1, 24);
  exif.writeUInt16LE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
