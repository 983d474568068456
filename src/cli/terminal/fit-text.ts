/** How many columns text takes, as far as a count of its characters tells. */
export function widthOf(text: string): number {
  return [...text].length;
}

/** Text in lines of at most `width` columns, broken at spaces; a longer word is broken where the line ends. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const pieces = [...word];
    while (pieces.length > 0) {
      const piece = pieces.splice(0, width).join('');
      if (line !== '' && widthOf(line) + 1 + widthOf(piece) > width) {
        lines.push(line);
        line = piece;
      } else line = line === '' ? piece : `${line} ${piece}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Text of at most `width` columns; what is cut off is shown by an ellipsis. */
export function cutText(text: string, width: number): string {
  return widthOf(text) <= width
    ? text
    : `${[...text].slice(0, Math.max(width - 1, 0)).join('')}${width > 0 ? '…' : ''}`;
}

/** `left`, and `right` at the end of the line; where both do not fit, in two lines. */
export function atBothEnds(left: string, right: string, width: number): string[] {
  if (right === '') return [left];
  const space = width - widthOf(left) - widthOf(right);
  if (space >= 2) return [left + ' '.repeat(space) + right];
  return [left, ' '.repeat(Math.max(width - widthOf(right), 0)) + right];
}

/** Blocks of lines beside each other, three columns apart. */
export function beside(left: readonly string[], right: readonly string[]): string[] {
  const width = Math.max(0, ...left.map(widthOf));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    `${(left[at] ?? '').padEnd(width)}   ${right[at] ?? ''}`.trimEnd(),
  );
}
