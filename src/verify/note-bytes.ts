// The bytes whose SHA-256 an event metadata_amended names, taken apart. Format: docs/audit-log.md.
import { utf8 } from '../domain/utf8.ts';
import { byteReader } from './byte-reader.ts';

/** The text of a note, salt first. Throws SyntaxError where it is none. */
export function readAmendedNote(bytes: Uint8Array): string {
  const reader = byteReader(bytes);
  reader.bytes(32);
  reader.tag('docket.note.1\n');
  return utf8(bytes.subarray(32 + 'docket.note.1\n'.length));
}
