/** A text as patterns expect it, and where each part of it stands in the text as it was read. */
export interface PlainText {
  readonly text: string;
  /** The place of a span of it in the text that it was made of; places are UTF-16 code units. */
  toRead(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Letters and signs that need nothing: most pages have no others. */
const PLAIN = /^[\n\x20-\x7e\xa1-\xac\xae-\u02ff\u2013-\u203a€]*$/u;
/** Characters that are others in another shape: ligatures, full width, mathematical letters and digits. */
const SHAPED = /^[\ufb00-\ufb06\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;

/**
 * Reads a text as people see it: every blank is a blank and every hyphen a hyphen, what has no width is not there, an accent
 * is part of its letter, and letters and digits of full width are letters and digits.
 */
export function plainText(read: string): PlainText {
  if (PLAIN.test(read)) return { text: read, toRead: (start, end) => ({ start, end }) };
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: seen, index } of read.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const plain = plainCharacter(seen);
    text += plain;
    starts.push(...Array<number>(plain.length).fill(index));
    ends.push(...Array<number>(plain.length).fill(index + seen.length));
  }
  return {
    text,
    toRead: (start, end) => ({
      start: starts[start] ?? read.length,
      end: end > 0 ? (ends[end - 1] ?? 0) : 0,
    }),
  };
}

function plainCharacter(seen: string): string {
  if (/^[\t\p{Zs}]/u.test(seen)) return ' ';
  if (/^[\u2010-\u2012\u2212\ufe63]/u.test(seen)) return '-';
  const visible = seen.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');
  return SHAPED.test(visible) ? visible.normalize('NFKC') : visible.normalize('NFC');
}
