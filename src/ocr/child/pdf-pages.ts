import { DocketError } from '../../errors.ts';
import { RASTERISATION } from './parameters-in-force.ts';
import type { ByteSource } from './byte-source.ts';
import { resizeGrey } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';
import type { PageImage, PageSource } from './page-image.ts';
import { checkPixels } from './pixel-limit.ts';
import { checkImages } from './pdf-images.ts';
import type { PdfDocument, PdfImageFacts } from './pdfium.ts';
import { openPdfDocument } from './pdfium.ts';

const POINTS_PER_INCH = 72;
const TAIL = 1024;
/** Ten times what the format allows: no sheet, and no place for its pixels. */
const LONGEST_SIDE_POINTS = 144_000;

/** A PDF as a document. Its pages are painted, not taken apart: what a person sees is what is read. */
export async function openPdf(
  file: string,
  source: ByteSource,
  { maxPages, maxPixels }: { maxPages: number; maxPixels: number },
): Promise<PageSource> {
  const tail = await source.read(Math.max(0, source.size - TAIL), TAIL);
  const complete = tail.includes('%%EOF');
  const document = await openPdfDocument(file).catch((error: unknown) => {
    if (complete || !(error instanceof DocketError) || error.code !== 'CORRUPT') throw error;
    throw new DocketError('TRUNCATED', 'the PDF ends too early: there is no end-of-file marker', {
      cause: error,
    });
  });
  checkDocument(document, maxPages);
  const warnings: string[] = [];
  if (!document.sound)
    warnings.push('the cross-reference table of the PDF is damaged; its objects were guessed');
  if (!complete) warnings.push('the PDF has no end-of-file marker: it may have been cut off');
  let opened = 0;
  return {
    declared: document.pageCount,
    warnings,
    page: (pageNo, pageWarnings) => {
      if (opened !== 0) document.closePage(opened);
      opened = document.openPage(pageNo - 1) ?? 0;
      return Promise.resolve(
        opened === 0 ? undefined : pdfPage(document, opened, pageNo, maxPixels, pageWarnings),
      );
    },
    close: () => {
      if (opened !== 0) document.closePage(opened);
      document.close();
      return Promise.resolve();
    },
  };
}

function checkDocument(document: PdfDocument, maxPages: number): void {
  const { pageCount } = document;
  if (pageCount === 0) throw new DocketError('NO_PAGES', 'the PDF has no pages');
  if (pageCount > maxPages) {
    throw new DocketError('TOO_MANY_PAGES', `the PDF has ${pageCount} pages`, {
      hint: `deliver at most ${maxPages} pages a document`,
      data: { pages: pageCount, limit: maxPages },
    });
  }
  if (document.dynamicForm) {
    throw new DocketError(
      'UNSUPPORTED_FORMAT',
      'the PDF is a dynamic XFA form: its pages are made by a program in it',
      {
        hint: 'print the form to a plain PDF',
      },
    );
  }
  if (document.portfolio) {
    throw new DocketError('UNSUPPORTED_FORMAT', 'the PDF is a portfolio: its documents are attachments', {
      hint: 'deliver each attachment as a document of its own',
    });
  }
}

function pdfPage(
  document: PdfDocument,
  page: number,
  pageNo: number,
  maxPixels: number,
  warnings: string[],
): PageImage {
  const size = document.pageSize(page);
  const longest = Math.max(size.width, size.height);
  if (!(longest > 0 && longest <= LONGEST_SIDE_POINTS)) {
    throw new DocketError(
      'CORRUPT',
      `page ${pageNo} of the PDF claims ${size.width} × ${size.height} points`,
    );
  }
  const images: PdfImageFacts[] = [];
  for (const object of document.objects(page)) {
    if (object.kind !== 'image') continue;
    const facts = document.imageFacts(page, object);
    checkPixels(facts, maxPixels);
    images.push(facts);
  }
  const scan = scanDpi(
    images,
    size.turned ? size.height : size.width,
    size.turned ? size.width : size.height,
  );
  const cap = (RASTERISATION.longestSide * POINTS_PER_INCH) / longest;
  const dpi = Math.min(scan ?? RASTERISATION.vectorDpi, cap);
  const width = Math.max(1, Math.round((size.width / POINTS_PER_INCH) * dpi));
  const height = Math.max(1, Math.round((size.height / POINTS_PER_INCH) * dpi));
  return {
    pageNo,
    width,
    height,
    resolution: { x: dpi, y: dpi },
    bilevel: scan !== undefined && images.every((image) => image.bitsPerPixel === 1),
    async grey(w, h): Promise<GreyImage> {
      const picture = document.render(page, width, height);
      await checkImages(document, page, pageNo, picture, warnings);
      return resizeGrey(picture, w, h);
    },
  };
}

/**
 * The resolution of the page's own scan: the finest of the images that make up the page, if they cover it. Undefined for
 * a page that is drawn, or that only carries pictures. `width` and `height` are points before /Rotate.
 */
function scanDpi(images: readonly PdfImageFacts[], width: number, height: number): number | undefined {
  let covered = 0;
  let finest = 0;
  for (const { bounds, width: pixels } of images) {
    if (bounds === undefined) continue;
    const across = Math.min(bounds.x1, width) - Math.max(bounds.x0, 0);
    const up = Math.min(bounds.y1, height) - Math.max(bounds.y0, 0);
    const share = (Math.max(0, across) * Math.max(0, up)) / (width * height);
    if (share < RASTERISATION.scanPart) continue;
    covered += share;
    finest = Math.max(finest, (pixels * POINTS_PER_INCH) / (bounds.x1 - bounds.x0));
  }
  return covered >= RASTERISATION.scanCoverage && finest > 0 ? finest : undefined;
}
