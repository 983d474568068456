import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { preflight, sniff } from '../../src/ocr/sniff.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const KNOWN: readonly [what: string, head: Buffer, mediaType: string, supported: boolean][] = [
  ['a PNG', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png', true],
  ['a JFIF JPEG', bytes('\xff\xd8\xff\xe0\0\x10JFIF\0'), 'image/jpeg', true],
  ['an EXIF JPEG', bytes('\xff\xd8\xff\xe1\0\x10Exif\0\0'), 'image/jpeg', true],
  ['a JPEG that begins with its tables', bytes('\xff\xd8\xff\xdb'), 'image/jpeg', true],
  ['a little-endian TIFF', bytes('II*\0\x08\0\0\0'), 'image/tiff', true],
  ['a big-endian TIFF', bytes('MM\0*\0\0\0\x08'), 'image/tiff', true],
  ['a little-endian BigTIFF', bytes('II+\0\x08\0\0\0'), 'image/tiff', true],
  ['a big-endian BigTIFF', bytes('MM\0+\0\x08\0\0'), 'image/tiff', true],
  ['a PDF', bytes('%PDF-1.7\n'), 'application/pdf', true],
  ['a PDF after a byte order mark', bytes('\xef\xbb\xbf%PDF-1.4\n'), 'application/pdf', true],
  ['a PDF after a kilobyte of mail header', bytes(`${' '.repeat(1019)}%PDF-`), 'application/pdf', true],
  ['a GIF', bytes('GIF89a\x01\0'), 'image/gif', false],
  ['a WebP', bytes('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp', false],
  ['a BMP', Buffer.concat([bytes('BM'), Buffer.alloc(12), bytes('\x28\0\0\0')]), 'image/bmp', false],
  ['a JPEG 2000 file', bytes('\0\0\0\x0cjP  \r\n\x87\n'), 'image/jp2', false],
  ['a bare JPEG 2000 codestream', bytes('\xff\x4f\xff\x51\0'), 'image/jp2', false],
  ['an SVG', bytes('<?xml version="1.0"?>\n<svg xmlns="…">'), 'image/svg+xml', false],
  ['other XML', bytes('<?xml version="1.0"?><invoice/>'), 'application/xml', false],
  ['a web page', bytes('<!DOCTYPE html><html>'), 'text/html', false],
  ['PostScript', bytes('%!PS-Adobe-3.0\n'), 'application/postscript', false],
  ['a ZIP, as office documents are', bytes('PK\x03\x04\x14\0'), 'application/zip', false],
  ['an old office document', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/x-ole-storage', false],
  ['a HEIC photo', bytes('\0\0\0\x18ftypheic'), 'image/heif', false],
];

for (const [what, head, mediaType, supported] of KNOWN) {
  test(`${what} is known by its first bytes`, () => assert.deepEqual(sniff(head), { mediaType, supported }));
}

const UNKNOWN: readonly [what: string, head: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['plain text', bytes('push graphic-context\nviewbox 0 0 1 1')],
  ['text that begins with the letters of a BMP', bytes('BMW spare parts, twelve boxes')],
  ['a PDF header beyond the first kilobyte', bytes(`${' '.repeat(1024)}%PDF-1.7`)],
  ['another RIFF file', bytes('RIFF\x10\0\0\0WAVEfmt ')],
];

for (const [what, head] of UNKNOWN) {
  test(`${what} is not taken for a document`, () => assert.equal(sniff(head), undefined));
}

test('a PNG that carries the words of a PDF header in a comment is a PNG', () => {
  assert.equal(sniff(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR… tEXt %PDF-1.7'))?.mediaType, 'image/png');
});

const REFUSALS: readonly [what: string, head: Buffer, size: number, code: string][] = [
  ['an empty object', Buffer.alloc(0), 0, 'EMPTY_OBJECT'],
  ['an object of no known format', bytes('hello'), 5, 'UNKNOWN_FORMAT'],
  ['an object of a format that is not read', bytes('GIF89a'), 6, 'UNSUPPORTED_FORMAT'],
];

for (const [what, head, size, code] of REFUSALS) {
  test(`preflight refuses ${what} as ${code}`, () => {
    assert.throws(
      () => preflight(head, size),
      (error) => error instanceof DocketError && error.code === code,
    );
  });
}

test('preflight answers the media type of what can be read', () => {
  assert.equal(preflight(bytes('%PDF-1.7'), 8), 'application/pdf');
});
