import type { Ink } from './raster.ts';
import { BLACK } from './raster.ts';
import type { Sheet, TextStyle } from './sheet.ts';

const MM_PER_POINT = 25.4 / 72;

/** A box of a printed form: a small label and the lines somebody typed below it. */
export interface Field {
  label: string;
  lines: readonly string[];
  /** In mm. */
  width: number;
  bold?: boolean;
}

export interface FormStyle {
  size?: number;
  labelSize?: number;
  /** Colour of the rules and labels, which on many forms is not that of the typed text. */
  ink?: Ink;
}

/** Draws one row of boxes of equal height; gives the y of its lower edge. */
export function formRow(
  sheet: Sheet,
  x: number,
  y: number,
  height: number,
  fields: readonly Field[],
  style: FormStyle = {},
): number {
  const { size = 9, labelSize = 6, ink = BLACK } = style;
  let left = x;
  for (const field of fields) {
    sheet.box(left, y, field.width, height, 0.6, ink);
    let baseline = y + labelSize * MM_PER_POINT + 0.8;
    sheet.text(left + 1.2, baseline, field.label, { size: labelSize, ink });
    for (const line of field.lines) {
      baseline += size * MM_PER_POINT * 1.2;
      sheet.text(left + 1.6, baseline, line, { size, font: field.bold ? 'sans-bold' : 'sans' });
    }
    left += field.width;
  }
  return y + height;
}

export interface Column {
  title: string;
  /** In mm. */
  width: number;
  align?: 'left' | 'right';
}

/** Draws a ruled table with a header; cells wrap, rows grow. Gives the y of its lower edge. */
export function ruledTable(
  sheet: Sheet,
  x: number,
  y: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: { size?: number; ink?: Ink } = {},
): number {
  const { size = 9, ink = BLACK } = style;
  const step = size * MM_PER_POINT * 1.22;
  let top = y;
  const cells = [columns.map((column) => column.title), ...rows];
  for (const [index, row] of cells.entries()) {
    const text: TextStyle = { size, font: index === 0 ? 'sans-bold' : 'sans' };
    const lines = columns.map((column, i) =>
      (row[i] ?? '').split('\n').flatMap((part) => sheet.wrap(part, column.width - 2.6, text)),
    );
    const height = Math.max(...lines.map((list) => list.length)) * step + 1.8;
    let left = x;
    for (const [i, column] of columns.entries()) {
      sheet.box(left, top, column.width, height, 0.6, ink);
      const right = column.align === 'right' && index > 0;
      for (const [n, line] of lines[i]!.entries()) {
        if (line === '') continue;
        const baseline = top + step * (n + 1) - 0.2;
        sheet.text(right ? left + column.width - 1.3 : left + 1.3, baseline, line, {
          ...text,
          align: right ? 'right' : 'left',
        });
      }
      left += column.width;
    }
    top += height;
  }
  return top;
}
