import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts, degrees } from '@cantoo/pdf-lib';
import type { Box } from '../../src/domain/geometry.ts';

const MARGIN = 60;
const LINE_HEIGHT = 26;
const SIZE = 14;

export interface SamplePage {
  readonly lines: readonly string[];
  /** Degrees by which the lines fall to the right, as on a sheet that went through the scanner askew. */
  readonly skew?: number;
  /** The page's /Rotate. */
  readonly rotate?: 0 | 90 | 180 | 270;
}

export interface Sample {
  readonly bytes: Uint8Array;
  /**
   * Where a word of a line must lie on a page image of this resolution, worked out from the font's own measures: the box
   * from the baseline to the height of the capitals. Pages are A4, 595 × 842 points before /Rotate.
   */
  boxOf(page: number, line: number, word: string, dpi: number): Box;
}

const WIDTH = 595;
const HEIGHT = 842;

/** Makes a PDF of text pages in Helvetica, which every PDF reader has. */
export async function makeSamplePdf(pages: readonly SamplePage[]): Promise<Sample> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const { lines, skew = 0, rotate = 0 } of pages) {
    const page = document.addPage([WIDTH, HEIGHT]);
    page.setRotation(degrees(rotate));
    lines.forEach((line, i) => {
      const [x, y] = fromUpright(MARGIN, baseline(i), skew);
      page.drawText(line, { x, y, size: SIZE, font, rotate: degrees(-skew) });
    });
  }
  return {
    bytes: await document.save(),
    boxOf(pageNo, lineNo, word, dpi) {
      const { lines = [], skew = 0, rotate = 0 } = pages[pageNo] ?? {};
      const line = lines[lineNo] ?? '';
      const before = font.widthOfTextAtSize(line.slice(0, line.indexOf(word)), SIZE);
      const width = font.widthOfTextAtSize(word, SIZE);
      const capitals = font.heightAtSize(SIZE, { descender: false }) * 0.96;
      const y = baseline(lineNo);
      const corners = [
        [MARGIN + before, y],
        [MARGIN + before + width, y],
        [MARGIN + before, y + capitals],
        [MARGIN + before + width, y + capitals],
      ].map(([px = 0, py = 0]) => toImage(...fromUpright(px, py, skew), rotate, dpi / 72));
      const xs = corners.map(([cx]) => cx);
      const ys = corners.map(([, cy]) => cy);
      return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
    },
  };
}

function baseline(line: number): number {
  return HEIGHT - MARGIN - 40 - line * LINE_HEIGHT;
}

/** Turns a point of the level page about the page's centre, so that lines fall to the right by `skew` degrees. */
function fromUpright(x: number, y: number, skew: number): [number, number] {
  const angle = (-skew * Math.PI) / 180;
  const dx = x - WIDTH / 2;
  const dy = y - HEIGHT / 2;
  return [
    WIDTH / 2 + dx * Math.cos(angle) - dy * Math.sin(angle),
    HEIGHT / 2 + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
}

/** From points of the page, y up, to pixels of its image, y down, after /Rotate. */
function toImage(x: number, y: number, rotate: 0 | 90 | 180 | 270, scale: number): [number, number] {
  switch (rotate) {
    case 0:
      return [x * scale, (HEIGHT - y) * scale];
    case 90:
      return [y * scale, x * scale];
    case 180:
      return [(WIDTH - x) * scale, y * scale];
    case 270:
      return [(HEIGHT - y) * scale, (WIDTH - x) * scale];
  }
}

/** A PDF that takes minutes to paint, and little memory: one page that shows the same picture thousands of times. */
export function makeEndlessPdf(): Buffer {
  const side = 1000;
  const samples = deflateSync(Buffer.alloc(side * side, 0x80)).toString('latin1');
  const content = 'q 595 0 0 842 0 0 cm /X Do Q\n'.repeat(5000);
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 ` +
      `/Filter /FlateDecode /Length ${samples.length} >>\nstream\n${samples}\nendstream`,
  ]);
}

/** Numbers the objects and puts header, cross-reference table and trailer around them. The first is the catalogue. */
export function writePdf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
