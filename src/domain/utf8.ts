/** UTF-8 to the letter. Throws SyntaxError, in which `what` names the bytes, where it is none. */
export function utf8(bytes: Uint8Array, what = 'it'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SyntaxError(`${what} is not UTF-8`);
  }
}
