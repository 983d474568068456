/** The bytes of base64 (RFC 4648, 4) that is written in the one way there is: padded, no other bits, no line breaks; else undefined. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
