// Long scans: a PDF of grey pages and a TIFF of black and white ones, A4 at 200 dpi, each page with a number of its own on it.
import { bilevel, soften } from '../../corpus/degrade.ts';
import { encodeScannedPdf, type ScannedPdfPage } from '../../corpus/formats/pdf.ts';
import { encodeTiff } from '../../corpus/formats/tiff.ts';
import type { FaxPage } from '../../corpus/formats/fax.ts';
import { GOODS, PARTIES } from '../../corpus/invented.ts';
import { createRandom } from '../../corpus/random.ts';
import { scanAsFax, scanAsJpeg } from '../../corpus/scan.ts';
import { Sheet } from '../../corpus/sheet.ts';

const DPI = 200;
const LINES = 3;
/** Sheets that are printed; the pages of a document take turns with them. */
const SHEETS = 12;

/** The word that a page must be read to have. */
export function markOf(page: number): string {
  return `SHEET${String(1_000 + (page % SHEETS))}`;
}

/** Little stands on a page, so that a thousand are read in minutes; what its picture takes is what any page of A4 takes. */
function sheetOf(page: number): Sheet {
  const random = createRandom(`long/${String(page)}`);
  const sheet = new Sheet({ widthMm: 210, heightMm: 297, dpi: DPI });
  sheet.text(20, 40, markOf(page), { size: 20, font: 'sans-bold' });
  for (let line = 0; line < LINES; line += 1) {
    const party = random.pick(PARTIES).name;
    sheet.text(20, 60 + line * 12, `${party}  ${random.pick(GOODS)[0]}  ${random.digits(6)}`, { size: 12 });
  }
  return sheet;
}

export async function makeLongPdf(pages: number): Promise<Buffer> {
  const images = await Promise.all(
    Array.from({ length: SHEETS }, (_, sheet) => scanAsJpeg('long', sheetOf(sheet), 60, [soften(0.06)])),
  );
  const taken = Array.from({ length: pages }, (_, page): ScannedPdfPage => ({
    image: images[page % SHEETS]!,
  }));
  return encodeScannedPdf(taken, 'A long scan');
}

export async function makeLongTiff(pages: number): Promise<Buffer> {
  const images = await Promise.all(
    Array.from({ length: SHEETS }, (_, sheet) =>
      scanAsFax('long', sheetOf(sheet), [soften(0.06), bilevel(150)]),
    ),
  );
  return encodeTiff(Array.from({ length: pages }, (_, page): FaxPage => images[page % SHEETS]!));
}
