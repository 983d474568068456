import { styleText } from 'node:util';

/** How text may look. */
export type Look = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'inverse';

/** Gives text a look, where there are any. */
export type Paint = (looks: Look | readonly Look[], text: string) => string;

/** What is written to, as far as the look of it goes. */
export interface Medium {
  readonly columns: number;
  readonly paint: Paint;
}

const COLUMNS = 100;
const WIDE_COLUMNS = 132;
const LEAST_COLUMNS = 40;

/** Text as it is. */
export const plain: Paint = (_looks, text) => text;

/** Text with the codes that terminals know. */
export const coloured: Paint = (looks, text) =>
  styleText(typeof looks === 'string' ? looks : [...looks], text, { validateStream: false });

/**
 * Colours on a terminal that has them, unless NO_COLOR is set; a file or a pipe gets 100 columns of plain text, 132 if
 * `wide` is stated. A terminal is not used beyond 120 columns, unless `wide` is stated: text is hard to read there.
 */
export function mediumOf(
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'hasColors'>,
  { wide = false } = {},
): Medium {
  if (!out.isTTY) return { columns: wide ? WIDE_COLUMNS : COLUMNS, paint: plain };
  const columns = Math.max(out.columns || COLUMNS, LEAST_COLUMNS);
  return {
    columns: wide ? columns : Math.min(columns, 120),
    paint: out.hasColors() ? coloured : plain,
  };
}
