import sharp from 'sharp';
import { DocketError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { decodePicture, reasonOf } from './decoding.ts';
import type { PageSource } from './page-image.ts';
import { jpegIsComplete, pngEnding } from './picture-ending.ts';
import { readJpegHeader, readPngHeader } from './picture-header.ts';
import { checkPixels } from './pixel-limit.ts';

const HEADER_BYTES = 1 << 20;
const DEFAULT_DENSITY = 72;

/** A PNG or JPEG as a document of one page. Of an animated PNG the still image is read, which is what viewers print. */
export async function openPicture(
  file: string,
  source: ByteSource,
  mediaType: 'image/png' | 'image/jpeg',
  maxPixels: number,
): Promise<PageSource> {
  const head = await source.read(0, HEADER_BYTES);
  const header = mediaType === 'image/png' ? readPngHeader(head) : readJpegHeader(head);
  if (header !== undefined) checkPixels(header, maxPixels);
  const options = { limitInputPixels: maxPixels };
  const isComplete = async (): Promise<boolean> =>
    mediaType === 'image/png' ? (await pngEnding(source)).complete : jpegIsComplete(source);
  const damage = async (reason: string): Promise<DocketError> =>
    (await isComplete())
      ? new DocketError('CORRUPT', `the picture is damaged: ${reason}`)
      : new DocketError('TRUNCATED', `the picture ends too early: ${reason}`);
  const { width, height, orientation, density } = await sharp(file, options)
    .metadata()
    .catch(async (error: unknown) => {
      throw await damage(reasonOf(error));
    });
  checkPixels({ width, height }, maxPixels);
  const sideways = (orientation ?? 1) >= 5;
  // What JFIF or pHYs says comes first; EXIF says it too, and libvips says 72 where nothing does.
  const exif = density !== undefined && density !== DEFAULT_DENSITY ? { x: density, y: density } : undefined;
  const stated = header?.resolution ?? exif;
  return {
    declared: 1,
    warnings: [],
    page: (pageNo, warnings) =>
      Promise.resolve({
        pageNo,
        width: sideways ? height : width,
        height: sideways ? width : height,
        resolution: stated !== undefined && sideways ? { x: stated.y, y: stated.x } : stated,
        bilevel: header?.bitsPerPixel === 1,
        grey: (w, h) => decodePicture(file, options, { width: w, height: h }, warnings, damage),
      }),
    close: () => Promise.resolve(),
  };
}
