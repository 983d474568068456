import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { legible } from '../../domain/legible.ts';

export const INK = '#1d2327';
export const SOFT = '#565f66';
export const ACCENT = '#0b5a7a';
export const GOOD = '#1c6b3c';
export const OPEN = '#7a5a00';
const LINE = '#dedbd3';

/** Typefaces, embedded as far as they are used. */
const FACES = { plain: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold', mono: 'DejaVuSansMono' };
export type Face = keyof typeof FACES;

const MARGIN = 54;
/** What stays free at the foot of a page for its number. */
const FOOT = 64;

/** How some text looks. */
export interface Look {
  readonly face?: Face;
  readonly size?: number;
  readonly colour?: string;
}

/** A part of a row: where it begins and ends, from the left margin, and what it says. */
export interface Cell extends Look {
  readonly x: number;
  readonly width: number;
  readonly text: string;
}

/**
 * A PDF of A4 pages that grows downwards: archival (PDF/A-2a) and tagged, so that a reader can read it aloud. The same calls
 * give the same bytes.
 */
export class Sheet {
  readonly width: number;
  readonly #pdf: PDFKit.PDFDocument;
  readonly #root: PDFKit.PDFStructureElement;
  readonly #parts: Buffer[] = [];
  readonly #ended: Promise<void>;

  constructor({ title, author, madeAt }: { title: string; author: string; madeAt: Date }) {
    this.#pdf = new PDFDocument({
      size: 'A4',
      margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: FOOT },
      bufferPages: true,
      pdfVersion: '1.7',
      subset: 'PDF/A-2a',
      tagged: true,
      lang: 'en-GB',
      displayTitle: true,
      info: {
        Title: title,
        Author: author,
        Creator: author,
        Producer: author,
        CreationDate: madeAt,
        ModDate: madeAt,
      },
    });
    this.width = this.#pdf.page.width - 2 * MARGIN;
    this.#pdf.on('data', (part: Buffer) => void this.#parts.push(part));
    this.#ended = new Promise((resolve) => this.#pdf.once('end', () => resolve()));
    for (const [name, file] of Object.entries(FACES)) {
      this.#pdf.registerFont(name, fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)));
    }
    this.#root = this.#pdf.struct('Document');
    this.#pdf.addStructure(this.#root);
  }

  /** Leaves some space. */
  skip(points: number): void {
    this.#pdf.y += points;
  }

  /** Goes on at the top of the next page unless so much is free on this one. */
  need(points: number): void {
    if (this.#pdf.y + points > this.#pdf.page.height - FOOT) this.#pdf.addPage();
  }

  /** A text over the whole width, as the given kind of element: H1, H2, P. */
  text(kind: string, text: string, look: Look & { indent?: number } = {}): void {
    const { indent = 0 } = look;
    this.#into(this.#root, kind, () => this.#write({ ...look, x: indent, width: this.width - indent, text }));
  }

  /** Lines exactly as they are, none broken: as small as the longest needs it. */
  verbatim(lines: readonly string[]): void {
    const longest = Math.max(...lines.map((line) => line.length));
    // a character of the typeface is 0.602 of its size wide
    const size = Math.min(8, this.width / (longest * 0.603));
    this.need(lines.length * size * 1.4);
    for (const line of lines) this.text('P', line === '' ? ' ' : line, { size, face: 'mono' });
  }

  /** Rows of cells, kept whole on their page, each with a rule below; the first cell of a row heads it. */
  table(rows: readonly (readonly Cell[])[], heads: readonly Cell[] = []): void {
    const table = this.#pdf.struct('Table');
    this.#root.add(table);
    if (heads.length > 0) this.#row(table, heads, () => 'TH');
    for (const row of rows) this.#row(table, row, (at) => (at === 0 ? 'TH' : 'TD'));
    table.end();
  }

  /** A filled box with some text, and a bar of the colour at its left. */
  box(text: string, { colour, fill }: { colour: string; fill: string }): void {
    const pdf = this.#pdf;
    const look = { face: 'bold', size: 11.5, colour } as const;
    const height = this.#height({ ...look, x: 16, width: this.width - 32, text }) + 22;
    this.need(height);
    const top = pdf.y;
    this.#drawing(() => {
      pdf.rect(MARGIN, top, this.width, height).fill(fill);
      pdf.rect(MARGIN, top, 4, height).fill(colour);
    });
    pdf.y = top + 11;
    this.#into(this.#root, 'P', () => this.#write({ ...look, x: 16, width: this.width - 32, text }));
    pdf.y = top + height;
  }

  /** A thin rule over the whole width. */
  rule(colour = LINE): void {
    const { y } = this.#pdf;
    this.#drawing(() =>
      this.#pdf
        .moveTo(MARGIN, y)
        .lineTo(MARGIN + this.width, y)
        .lineWidth(0.6)
        .stroke(colour),
    );
  }

  /** Writes the foot of each page, and gives the bytes. */
  async end(foot: (page: number, pages: number) => string): Promise<Buffer> {
    const pdf = this.#pdf;
    this.#root.end();
    const { count } = pdf.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      pdf.switchToPage(at);
      // below the margin, where text would begin a new page
      pdf.page.margins.bottom = 0;
      pdf.y = pdf.page.height - FOOT + 22;
      this.#drawing(() =>
        this.#write({ x: 0, width: this.width, size: 7.5, colour: SOFT, text: foot(at + 1, count) }),
      );
    }
    pdf.end();
    await this.#ended;
    return Buffer.concat(this.#parts);
  }

  #row(table: PDFKit.PDFStructureElement, cells: readonly Cell[], kind: (at: number) => string): void {
    const height = Math.max(...cells.map((cell) => this.#height(cell)));
    this.need(height + 9);
    const top = this.#pdf.y + 4;
    const row = this.#pdf.struct('TR');
    table.add(row);
    for (const [at, cell] of cells.entries()) {
      this.#pdf.y = top;
      this.#into(row, kind(at), () => this.#write(cell));
    }
    row.end();
    this.#pdf.y = top + height + 4;
    this.rule();
  }

  #into(parent: PDFKit.PDFStructureElement, kind: string, write: () => void): void {
    const element = this.#pdf.struct(kind, {}, write);
    parent.add(element);
    element.end();
  }

  /** What is only for the eye. */
  #drawing(draw: () => void): void {
    this.#pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.#pdf.endMarkedContent();
  }

  #write(cell: Cell): void {
    const text = this.#take(cell);
    this.#pdf
      .fillColor(cell.colour ?? INK)
      .text(text, MARGIN + cell.x, this.#pdf.y, { width: cell.width, lineGap: lineGap(cell) });
  }

  #height(cell: Cell): number {
    const text = this.#take(cell);
    return this.#pdf.heightOfString(text, { width: cell.width, lineGap: lineGap(cell) });
  }

  /** Chooses the face and size of a cell, and spells out what the face lacks. */
  #take({ face = 'plain', size = 9, text }: Cell): string {
    this.#pdf.font(face).fontSize(size);
    // pdfkit tells of its fonts by this field alone
    const { font } = (this.#pdf as unknown as WithFace)._font;
    return legible(text, (code) => font.hasGlyphForCodePoint(code));
  }
}

interface WithFace {
  readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } };
}

function lineGap({ size = 9 }: Look): number {
  return size * 0.22;
}
