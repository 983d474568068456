/**
 * The name of a signature's byte range, in any spelling: letters of a name may be written as numbers. Every signature has
 * one in a dictionary that no stream can hide, because the signature itself stands in the file as it is.
 */
export const BYTE_RANGE_MARK = new RegExp(`/${'ByteRange'.replace(/./g, letter)}`, 'g');

/** Length of the longest spelling. */
export const LONGEST_MARK = '/#42#79#74#65#52#61#6e#67#65'.length;

function letter(char: string): string {
  const code = char.charCodeAt(0).toString(16);
  const anyCase = code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:${char}|#${anyCase})`;
}
