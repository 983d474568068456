// The few byte forms that every hash of Docket is made of. Written from docs/audit-log.md, not from the SQL.

/** A signed 32-bit integer, big-endian. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A signed 64-bit integer, big-endian. */
export function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

/** A 32-bit floating-point number (IEEE 754), big-endian. */
export function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
}

/** A field: its length in bytes as int32, then the bytes; text as UTF-8; null as the length -1 and nothing else. */
export function field(value: string | Uint8Array | null): Buffer {
  if (value === null) return int32(-1);
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return Buffer.concat([int32(bytes.length), bytes]);
}

/** The sixteen bytes of a UUID in its usual text form. */
export function uuid(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}
