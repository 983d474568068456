import { measureText, outlineText } from './font.ts';
import type { FontName } from './font.ts';
import { BLACK, Raster } from './raster.ts';
import type { Ink, Point } from './raster.ts';

export interface TextStyle {
  font?: FontName;
  /** In typographic points. */
  size?: number;
  ink?: Ink;
  align?: 'left' | 'centre' | 'right';
}

/**
 * A sheet of paper being printed: places are millimetres from the top left corner, a text's y is its baseline. All text
 * that is printed is also noted down, in the order of printing: that is the ground truth.
 */
export class Sheet {
  readonly raster: Raster;
  readonly truth: string[] = [];
  readonly widthMm: number;
  readonly dpi: number;

  constructor(options: { widthMm: number; heightMm: number; dpi: number; colour?: boolean }) {
    const pixels = (mm: number): number => Math.round((mm * options.dpi) / 25.4);
    this.widthMm = options.widthMm;
    this.dpi = options.dpi;
    this.raster = new Raster(pixels(options.widthMm), pixels(options.heightMm), options.colour ? 3 : 1);
  }

  /** Prints one line and notes it in the truth. */
  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    this.#print(x, y, text, style);
    this.truth.push(text);
  }

  /** Prints a text wrapped to a width, as one entry of the truth; gives the baseline that would come next. */
  paragraph(
    x: number,
    y: number,
    width: number,
    text: string,
    style: TextStyle & { leading?: number } = {},
  ): number {
    const step = (style.leading ?? 1.25) * (style.size ?? 10) * MM_PER_POINT;
    let baseline = y;
    for (const line of this.wrap(text, width, style)) {
      this.#print(x, baseline, line, style);
      baseline += step;
    }
    this.truth.push(text);
    return baseline;
  }

  /** Splits a text at spaces so that each line fits a width in mm; a word that is too wide stays whole. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const last = lines.at(-1);
      if (last !== undefined && this.widthOf(`${last} ${word}`, style) <= width)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  }

  /** Width of a text in mm. */
  widthOf(text: string, style: TextStyle): number {
    return measureText(style.font ?? 'sans', text, style.size ?? 10) * MM_PER_POINT;
  }

  /** Draws a straight line of a thickness in points. */
  rule(x0: number, y0: number, x1: number, y1: number, points = 0.6, ink: Ink = BLACK): void {
    this.stroke(
      [
        [x0, y0],
        [x1, y1],
      ],
      points,
      ink,
    );
  }

  /** Draws the outline of a rectangle. */
  box(x: number, y: number, width: number, height: number, points = 0.6, ink: Ink = BLACK): void {
    this.rule(x, y, x + width, y, points, ink);
    this.rule(x, y + height, x + width, y + height, points, ink);
    this.rule(x, y, x, y + height, points, ink);
    this.rule(x + width, y, x + width, y + height, points, ink);
  }

  /** Draws a pen stroke through points in mm; leaves no trace in the truth, like handwriting nobody transcribed. */
  stroke(points: readonly Point[], thickness: number, ink: Ink = BLACK, opacity = 1): void {
    const half = (thickness / 72) * this.dpi * 0.5;
    const pixels = points.map(([x, y]): Point => [(x * this.dpi) / 25.4, (y * this.dpi) / 25.4]);
    for (let i = 0; i + 1 < pixels.length; i++) {
      const [ax, ay] = pixels[i]!;
      const [bx, by] = pixels[i + 1]!;
      const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
      if (length === 0) continue;
      const [nx, ny] = [(-(by - ay) / length) * half, ((bx - ax) / length) * half];
      this.raster.fill(
        [
          [
            [ax + nx, ay + ny],
            [bx + nx, by + ny],
            [bx - nx, by - ny],
            [ax - nx, ay - ny],
          ],
        ],
        ink,
        opacity,
      );
    }
  }

  #print(x: number, y: number, text: string, style: TextStyle): void {
    const size = style.size ?? 10;
    const width = this.widthOf(text, style);
    const left = style.align === 'right' ? x - width : style.align === 'centre' ? x - width / 2 : x;
    const scale = this.dpi / 25.4;
    const glyphs = outlineText(style.font ?? 'sans', text, left * scale, y * scale, (size / 72) * this.dpi);
    for (const outlines of glyphs) this.raster.fill(outlines, style.ink);
  }
}

const MM_PER_POINT = 25.4 / 72;
