import type { Box } from '../../domain/geometry.ts';

/** A word as Tesseract reports it: confidence 0..100, box in pixels of the image that was read. */
export interface ReadWord {
  readonly text: string;
  readonly confidence: number;
  readonly box: Box;
}

/** A line of words; `paragraph` changes from one paragraph to the next. */
export interface ReadLine {
  readonly paragraph: string;
  readonly words: ReadWord[];
}

/** Columns of Tesseract's TSV output. */
const LEVEL = 0;
const LINE = 4;
const LEFT = 6;
const CONFIDENCE = 10;
const TEXT = 11;
const WORD_LEVEL = '5';

/** Reads Tesseract's TSV into lines, in reading order. Words of white space only are left out. */
export function readTsv(tsv: string): ReadLine[] {
  const lines: ReadLine[] = [];
  let current = '';
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t');
    const text = clean(cells[TEXT] ?? '');
    if (cells[LEVEL] !== WORD_LEVEL || text === '') continue;
    const place = cells.slice(1, LINE + 1).join('.');
    if (place !== current) {
      current = place;
      lines.push({ paragraph: cells.slice(1, LINE).join('.'), words: [] });
    }
    const [left = 0, top = 0, width = 0, height = 0] = cells.slice(LEFT, CONFIDENCE).map(Number);
    lines.at(-1)?.words.push({
      text,
      confidence: Math.max(0, Math.min(100, Number(cells[CONFIDENCE]))),
      box: { x0: left, y0: top, x1: left + width, y1: top + height },
    });
  }
  return lines;
}

/** Postgres stores no NUL, and no other control character belongs in a word. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
}

/** The lines as text: a space between words, a line break between lines, an empty line between paragraphs. */
export function textOf(lines: readonly ReadLine[]): string {
  let text = '';
  lines.forEach((line, i) => {
    if (i > 0) text += line.paragraph === lines[i - 1]?.paragraph ? '\n' : '\n\n';
    text += line.words.map((word) => word.text).join(' ');
  });
  return text;
}
