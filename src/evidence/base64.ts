/** Bytes of base64url (RFC 7515: without padding); null if the text is not exactly what they are written as. */
export function fromBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

/** Bytes of Base64 of either alphabet, padded or not; null if the text is nothing of that kind. */
export function fromBase64(text: string): Buffer | null {
  const unpadded = text
    .replace(/={0,2}$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  return fromBase64url(unpadded);
}

/** Writes pieces of bytes as base64url, piece by piece. */
export async function* base64urlPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(end);
    if (end > 0) yield Buffer.from(bytes.toString('base64url', 0, end), 'latin1');
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64url'), 'latin1');
}
