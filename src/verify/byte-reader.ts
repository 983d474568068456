// Reads back what src/domain/canonical-bytes.ts writes. Nothing is skipped: what is left over is an error.
import { utf8 } from '../domain/utf8.ts';

/** Reads one thing after the other; throws SyntaxError where there is something else. */
export interface ByteReader {
  int32(): number;
  int64(): bigint;
  float32(): number;
  bytes(count: number): Uint8Array;
  /** UTF-8 of so many bytes. */
  text(count: number): string;
  /** A field: its length, then as many bytes; null where the length is -1. */
  field(): Uint8Array | null;
  /** The same as text; a null is an error. */
  textField(): string;
  /** The sixteen bytes of a UUID, in its usual text form. */
  uuid(): string;
  /** Exactly these characters of ASCII. */
  tag(text: string): void;
  isAtEnd(): boolean;
  /** Throws if anything is left. */
  end(): void;
}

export function byteReader(whole: Uint8Array): ByteReader {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  let at = 0;

  function step(count: number): number {
    if (count < 0 || at + count > whole.length) throw new SyntaxError('it ends too early');
    at += count;
    return at - count;
  }

  const reader: ByteReader = {
    int32: () => view.getInt32(step(4)),
    int64: () => view.getBigInt64(step(8)),
    float32: () => view.getFloat32(step(4)),
    bytes: (count) => whole.subarray(step(count), at),
    text: (count) => utf8(reader.bytes(count)),
    field() {
      const length = reader.int32();
      return length === -1 ? null : reader.bytes(length);
    },
    textField() {
      const bytes = reader.field();
      if (bytes === null) throw new SyntaxError('a text is missing');
      return utf8(bytes);
    },
    uuid() {
      const hex = hexOf(reader.bytes(16));
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
        '-',
      );
    },
    tag(text) {
      if (reader.text(text.length) !== text) throw new SyntaxError(`it does not say ${text.trim()}`);
    },
    isAtEnd: () => at === whole.length,
    end() {
      if (!reader.isAtEnd()) throw new SyntaxError('something follows after its end');
    },
  };
  return reader;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
