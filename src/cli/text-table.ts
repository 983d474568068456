import { printable } from './printable.ts';

/** Rows under headings, columns two spaces apart; numbers stand to the right. Empty when there are no rows. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map((cell) => printable(String(cell ?? '')).replace(/\s+/g, ' ')));
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...cells.map((row) => width(row[at]))),
  );
  const isNumber = headings.map((_, at) =>
    rows.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0, isNumber[at] ?? false))
      .join('  ')
      .trimEnd();
  return [line(headings), ...cells.map(line)].join('\n');
}

function pad(cell: string, to: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, to - width(cell)));
  return right ? space + cell : cell + space;
}

function width(cell = ''): number {
  return [...cell].length;
}
