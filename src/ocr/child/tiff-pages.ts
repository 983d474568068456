import sharp from 'sharp';
import { DocketError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { decodePicture, reasonOf } from './decoding.ts';
import type { PageImage, PageSource } from './page-image.ts';
import { checkPixels } from './pixel-limit.ts';
import { readTiffDirectories } from './tiff-directories.ts';
import type { TiffDirectory } from './tiff-directories.ts';

const UNSIGNED_INTEGERS = 1;

/**
 * A TIFF as a document: every image of its chain is a page, except thumbnails and masks of others. Its own directories are
 * the declaration; what the decoder can open is checked against them page by page.
 */
export async function openTiff(
  file: string,
  source: ByteSource,
  { maxPages, maxPixels }: { maxPages: number; maxPixels: number },
): Promise<PageSource> {
  const directories = await readTiffDirectories(source, maxPages);
  const pages = directories.filter((directory) => !directory.auxiliary);
  const chosen = pages.length > 0 ? pages : directories;
  if (chosen.length === 0) throw new DocketError('NO_PAGES', 'the TIFF has no image');
  for (const directory of chosen) {
    checkPixels(directory, maxPixels);
    checkLayout(directory);
    if (directory.end > source.size) {
      throw new DocketError(
        'TRUNCATED',
        `the pixels of page ${directory.index + 1} lie beyond the end of the file`,
        {
          data: { end: directory.end, size: source.size },
        },
      );
    }
  }
  return {
    declared: chosen.length,
    warnings: [],
    page: (pageNo, warnings) => {
      const directory = chosen[pageNo - 1];
      return Promise.resolve(directory && tiffPage(file, directory, pageNo, maxPixels, warnings));
    },
    close: () => Promise.resolve(),
  };
}

/** Floating-point and signed samples have no white and black of their own: guessing could make a page blank. */
function checkLayout({ sampleFormat, bitsPerSample, index }: TiffDirectory): void {
  if (sampleFormat === UNSIGNED_INTEGERS && bitsPerSample <= 16) return;
  throw new DocketError(
    'UNSUPPORTED_CODEC',
    `page ${index + 1} of the TIFF does not hold whole-number samples`,
    {
      hint: 'deliver 1, 8 or 16 bits a sample',
      data: { sampleFormat, bitsPerSample },
    },
  );
}

function tiffPage(
  file: string,
  directory: TiffDirectory,
  pageNo: number,
  maxPixels: number,
  warnings: string[],
): PageImage {
  const sideways = directory.orientation >= 5;
  const { width, height, resolution } = directory;
  const options = { page: directory.index, limitInputPixels: maxPixels };
  const damage = (reason: string): Promise<DocketError> =>
    Promise.resolve(new DocketError('CORRUPT', `page ${pageNo} of the TIFF is damaged: ${reason}`));
  return {
    pageNo,
    width: sideways ? height : width,
    height: sideways ? width : height,
    resolution: resolution && (sideways ? { x: resolution.y, y: resolution.x } : resolution),
    bilevel: directory.bitsPerSample === 1 && directory.samples === 1,
    async grey(w, h) {
      await checkDecoder(file, options, directory, damage);
      return decodePicture(file, options, { width: w, height: h }, warnings, damage);
    },
  };
}

/** The decoder must see the very image that the directory describes. */
async function checkDecoder(
  file: string,
  options: { page: number; limitInputPixels: number },
  { width, height }: TiffDirectory,
  damage: (reason: string) => Promise<DocketError>,
): Promise<void> {
  const seen = await sharp(file, options)
    .metadata()
    .catch(async (error: unknown) => {
      throw await damage(reasonOf(error));
    });
  if (seen.width !== width || seen.height !== height) {
    throw await damage(
      `the decoder sees ${seen.width} × ${seen.height} pixels, the directory says ${width} × ${height}`,
    );
  }
}
