import sharp from 'sharp';
import { DocketError } from '../../errors.ts';
import { reasonOf } from './decoding.ts';
import type { GreyImage } from './grey-image.ts';
import type { PdfDocument, PdfImageFacts, PdfObject } from './pdfium.ts';

/** Images smaller than this many pixels are ornaments; larger ones are not decoded a second time to check them. */
const LEAST_PIXELS = 10_000;
const MOST_PIXELS = 40_000_000;
const SAMPLE_FILTERS = new Set([
  'FlateDecode',
  'LZWDecode',
  'RunLengthDecode',
  'ASCII85Decode',
  'ASCIIHexDecode',
]);
const UNIFORM_TOLERANCE = 2;

/**
 * PDFium paints what it can and says nothing of what it cannot. This finds what was left out: images without pixels, image
 * streams that are damaged or too short, text that should be visible on a page that stayed white. Adds to `warnings`;
 * throws UNSUPPORTED_CODEC for an image that cannot be decoded at all.
 */
export async function checkImages(
  document: PdfDocument,
  page: number,
  pageNo: number,
  picture: GreyImage,
  warnings: string[],
): Promise<void> {
  const uniform = isUniform(picture);
  let painted = false;
  for (const object of document.objects(page)) {
    if (object.kind === 'text') painted ||= document.paintsText(object);
    if (object.kind !== 'image') continue;
    const facts = document.imageFacts(page, object);
    const complaint = await complaintAbout(document, object, facts, uniform);
    if (complaint !== undefined) warnings.push(`page ${pageNo}: ${complaint}`);
  }
  if (uniform && painted) {
    warnings.push(`page ${pageNo}: it holds text that should be visible, but nothing was painted`);
  }
}

async function complaintAbout(
  document: PdfDocument,
  object: PdfObject,
  facts: PdfImageFacts,
  uniform: boolean,
): Promise<string | undefined> {
  const pixels = facts.width * facts.height;
  if ((uniform || pixels === 0) && pixels <= MOST_PIXELS && !document.imageDecodes(object)) {
    throw new DocketError('UNSUPPORTED_CODEC', 'an image of the PDF cannot be decoded', {
      data: { filters: facts.filters, width: facts.width, height: facts.height },
    });
  }
  if (pixels < LEAST_PIXELS || pixels > MOST_PIXELS) return undefined;
  const [filter, ...more] = facts.filters;
  if (filter === 'DCTDecode' && more.length === 0) return jpegComplaint(document.imageStream(object));
  if (facts.filters.length > 0 && facts.filters.every((name) => SAMPLE_FILTERS.has(name))) {
    const expected = facts.height * Math.ceil((facts.width * facts.bitsPerPixel) / 8);
    const got = document.imageSampleBytes(object);
    if (got < expected) return `an image of ${expected} bytes ends after ${got}`;
  }
  return undefined;
}

/** Decodes at an eighth of the size, which still reads every bit of the compressed data. */
async function jpegComplaint(stream: Buffer): Promise<string | undefined> {
  try {
    const { width } = await sharp(stream, { failOn: 'none' }).metadata();
    await sharp(stream, { failOn: 'warning' })
      .resize({ width: Math.max(1, Math.floor(width / 8)) })
      .raw()
      .toBuffer();
    return undefined;
  } catch (error) {
    return `a JPEG image is damaged: ${reasonOf(error)}`;
  }
}

function isUniform({ data }: GreyImage): boolean {
  const first = data[0] ?? 255;
  return data.every((value) => Math.abs(value - first) <= UNIFORM_TOLERANCE);
}
