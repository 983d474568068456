import sharp from 'sharp';
import { DocketError } from '../../errors.ts';
import { fromGrey } from '../../ocr/child/grey-image.ts';
import { openDocument } from '../../ocr/child/open-document.ts';
import type { PictureAnswer, PictureOrder } from './picture-order.ts';

/** The process that draws pages for the report: scans are decoded in a confined child here as everywhere. */
const QUALITY = 55;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });

async function draw(order: PictureOrder): Promise<PictureAnswer> {
  const document = await openDocument(order.file, order);
  const page = await document.page(order.pageNo, []);
  if (page === undefined) return { problem: 'there is no such page' };
  const factor = Math.min(1, order.longestSide / Math.max(page.width, page.height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * factor));
  const image = await page.grey(side(page.width), side(page.height));
  const jpeg = await fromGrey(image).jpeg({ quality: QUALITY }).toBuffer();
  await document.close();
  return { jpeg };
}

process.on('message', (order: PictureOrder) => {
  draw(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) =>
      process.send?.({ problem: error instanceof DocketError ? error.code : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C at a terminal reaches the whole group of processes; the parent decides when this one ends.
process.on('SIGINT', () => undefined);
