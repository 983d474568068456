import { DocketError } from '../errors.ts';

/** What the first bytes of an object say it is. `supported`: an engine of this program reads it. */
export interface Sniffed {
  readonly mediaType: string;
  readonly supported: boolean;
}

/** How far into a file a PDF's header may stand: what readers have always tolerated. */
const PDF_HEADER_WITHIN = 1024;

interface Signature {
  readonly mediaType: string;
  readonly supported?: true;
  /** Bytes at `offset`, written as latin-1 text. */
  readonly magic: string;
  readonly offset?: number;
}

const SIGNATURES: readonly Signature[] = [
  { mediaType: 'image/png', supported: true, magic: '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', supported: true, magic: '\xff\xd8\xff' },
  { mediaType: 'image/tiff', supported: true, magic: 'II*\0' },
  { mediaType: 'image/tiff', supported: true, magic: 'MM\0*' },
  { mediaType: 'image/tiff', supported: true, magic: 'II+\0' },
  { mediaType: 'image/tiff', supported: true, magic: 'MM\0+' },
  { mediaType: 'image/gif', magic: 'GIF87a' },
  { mediaType: 'image/gif', magic: 'GIF89a' },
  { mediaType: 'image/webp', magic: 'WEBP', offset: 8 },
  { mediaType: 'image/jp2', magic: '\0\0\0\x0cjP  \r\n\x87\n' },
  { mediaType: 'image/jp2', magic: '\xff\x4f\xff\x51' },
  { mediaType: 'image/jxl', magic: '\0\0\0\x0cJXL \r\n\x87\n' },
  { mediaType: 'image/jbig2', magic: '\x97JB2\r\n\x1a\n' },
  { mediaType: 'image/heif', magic: 'ftypheic', offset: 4 },
  { mediaType: 'image/heif', magic: 'ftypmif1', offset: 4 },
  { mediaType: 'image/avif', magic: 'ftypavif', offset: 4 },
  { mediaType: 'image/vnd.djvu', magic: 'AT&TFORM' },
  { mediaType: 'image/vnd.adobe.photoshop', magic: '8BPS' },
  { mediaType: 'application/postscript', magic: '%!' },
  { mediaType: 'application/postscript', magic: '\xc5\xd0\xd3\xc6' },
  { mediaType: 'application/zip', magic: 'PK\x03\x04' },
  { mediaType: 'application/zip', magic: 'PK\x05\x06' },
  { mediaType: 'application/x-ole-storage', magic: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { mediaType: 'application/rtf', magic: '{\\rtf' },
  { mediaType: 'application/gzip', magic: '\x1f\x8b' },
  { mediaType: 'application/x-7z-compressed', magic: "7z\xbc\xaf'\x1c" },
  { mediaType: 'application/vnd.rar', magic: 'Rar!\x1a\x07' },
];

/**
 * Says what an object is by its first bytes, never by its name or by what its sender says. `head` is the start of the
 * object: a kilobyte is enough. Answers undefined for bytes that look like nothing known.
 */
export function sniff(head: Buffer): Sniffed | undefined {
  const text = head.subarray(0, PDF_HEADER_WITHIN).toString('latin1');
  for (const { mediaType, supported, magic, offset } of SIGNATURES) {
    if (!text.startsWith(magic, offset ?? 0)) continue;
    if (mediaType === 'image/webp' && !text.startsWith('RIFF')) continue;
    return { mediaType, supported: supported ?? false };
  }
  if (isBmp(head)) return { mediaType: 'image/bmp', supported: false };
  if (isPbm(text)) return { mediaType: 'image/x-portable-anymap', supported: false };
  // Only after every signature at offset 0: a picture that merely carries "%PDF-" in its metadata is a picture.
  if (text.includes('%PDF-')) return { mediaType: 'application/pdf', supported: true };
  return sniffMarkup(text);
}

/** BMP's magic is two letters, so the header that follows must make sense too. */
function isBmp(head: Buffer): boolean {
  if (head.length < 18 || head.toString('latin1', 0, 2) !== 'BM') return false;
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14));
}

function isPbm(text: string): boolean {
  return /^P[1-7]\s/.test(text);
}

function sniffMarkup(text: string): Sniffed | undefined {
  const start = text.replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  if (!start.startsWith('<')) return undefined;
  if (/<svg[\s>]/i.test(start)) return { mediaType: 'image/svg+xml', supported: false };
  if (/^<(?:!doctype html|html)[\s>]/i.test(start)) return { mediaType: 'text/html', supported: false };
  if (start.startsWith('<?xml')) return { mediaType: 'application/xml', supported: false };
  return undefined;
}

/**
 * Decides from the first bytes and the size whether an object is worth decoding, and answers its media type. Throws
 * EMPTY_OBJECT, UNKNOWN_FORMAT or UNSUPPORTED_FORMAT.
 */
export function preflight(head: Buffer, sizeBytes: number): string {
  if (sizeBytes === 0) throw new DocketError('EMPTY_OBJECT', 'the object has no bytes');
  const sniffed = sniff(head);
  if (sniffed === undefined) {
    throw new DocketError('UNKNOWN_FORMAT', 'the first bytes are of no known image or document format', {
      hint: 'deliver PNG, JPEG, TIFF or PDF',
      data: { firstBytes: head.subarray(0, 8).toString('hex') },
    });
  }
  if (!sniffed.supported) {
    throw new DocketError('UNSUPPORTED_FORMAT', `the object is ${sniffed.mediaType}, which is not read`, {
      hint: 'deliver PNG, JPEG, TIFF or PDF',
    });
  }
  return sniffed.mediaType;
}
