import { preflight } from '../sniff.ts';
import { openByteSource } from './byte-source.ts';
import type { PageSource } from './page-image.ts';
import { openPdf } from './pdf-pages.ts';
import { openPicture } from './picture-pages.ts';
import { openTiff } from './tiff-pages.ts';

const HEAD_BYTES = 64 * 1024;

/** Opens a document by its content. Throws DocketError: what preflight throws, or why its pages cannot be had. */
export async function openDocument(
  file: string,
  limits: { maxPages: number; maxPixels: number },
): Promise<PageSource> {
  const source = await openByteSource(file);
  try {
    const mediaType = preflight(await source.read(0, HEAD_BYTES), source.size);
    const pages = await openAs(mediaType);
    return { ...pages, close: () => Promise.all([pages.close(), source.close()]).then(() => undefined) };
  } catch (error) {
    await source.close();
    throw error;
  }

  function openAs(mediaType: string): Promise<PageSource> {
    if (mediaType === 'application/pdf') return openPdf(file, source, limits);
    if (mediaType === 'image/tiff') return openTiff(file, source, limits);
    return openPicture(file, source, mediaType as 'image/png' | 'image/jpeg', limits.maxPixels);
  }
}
