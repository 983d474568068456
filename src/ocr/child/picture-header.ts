/** What a PNG or JPEG says of itself before any pixel is decoded. */
export interface PictureHeader {
  /** Pixels as stored, before EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  /** Pixels per inch along each axis as stored, if stated. */
  readonly resolution: { readonly x: number; readonly y: number } | undefined;
}

const METRE_IN_INCHES = 39.3700787;
const CENTIMETRE_IN_INCHES = 2.54;

/** Reads a PNG's IHDR and pHYs. Answers undefined where the chunk order is broken or `head` ends first. */
export function readPngHeader(head: Buffer): PictureHeader | undefined {
  if (head.length < 33 || head.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const samples = [1, 0, 3, 1, 2, 0, 4][head.readUInt8(25)] ?? 0;
  return {
    width: head.readUInt32BE(16),
    height: head.readUInt32BE(20),
    bitsPerPixel: head.readUInt8(24) * samples,
    resolution: pngResolution(head),
  };
}

function pngResolution(head: Buffer): PictureHeader['resolution'] {
  for (let offset = 8; offset + 12 <= head.length;) {
    const length = head.readUInt32BE(offset);
    const type = head.toString('latin1', offset + 4, offset + 8);
    if (type === 'IDAT') return undefined;
    if (type === 'pHYs' && length === 9 && offset + 17 <= head.length) {
      if (head.readUInt8(offset + 16) !== 1) return undefined;
      return {
        x: head.readUInt32BE(offset + 8) / METRE_IN_INCHES,
        y: head.readUInt32BE(offset + 12) / METRE_IN_INCHES,
      };
    }
    offset += 12 + length;
  }
  return undefined;
}

/** Reads a JPEG's frame header and JFIF density. Answers undefined where no frame header lies within `head`. */
export function readJpegHeader(head: Buffer): PictureHeader | undefined {
  let resolution: PictureHeader['resolution'];
  for (const { marker, offset, length } of jpegSegments(head)) {
    if (marker === 0xe0 && head.toString('latin1', offset, offset + 5) === 'JFIF\0' && length >= 12) {
      resolution = jfifResolution(head, offset);
    }
    if (isFrameHeader(marker) && offset + 6 <= head.length) {
      return {
        height: head.readUInt16BE(offset + 1),
        width: head.readUInt16BE(offset + 3),
        bitsPerPixel: head.readUInt8(offset) * head.readUInt8(offset + 5),
        resolution,
      };
    }
  }
  return undefined;
}

function jfifResolution(head: Buffer, offset: number): PictureHeader['resolution'] {
  const unit = head.readUInt8(offset + 7);
  if (unit !== 1 && unit !== 2) return undefined;
  const factor = unit === 1 ? 1 : CENTIMETRE_IN_INCHES;
  return { x: head.readUInt16BE(offset + 8) * factor, y: head.readUInt16BE(offset + 10) * factor };
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Walks the segments before the first scan; `offset` and `length` are those of the payload. */
function* jpegSegments(head: Buffer): Generator<{ marker: number; offset: number; length: number }> {
  for (let at = 2; at + 4 <= head.length;) {
    if (head.readUInt8(at) !== 0xff) {
      at += 1;
      continue;
    }
    const marker = head.readUInt8(at + 1);
    if (marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = head.readUInt16BE(at + 2) - 2;
    yield { marker, offset: at + 4, length };
    if (marker === 0xda || marker === 0xd9) return;
    at += 4 + Math.max(0, length);
  }
}

/** Where the entropy-coded data of a JPEG begins, or undefined if no scan starts within `head`. */
export function jpegScanOffset(head: Buffer): number | undefined {
  for (const { marker, offset, length } of jpegSegments(head)) if (marker === 0xda) return offset + length;
  return undefined;
}
