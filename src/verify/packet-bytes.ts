// The bytes whose SHA-256 is the hash of an evidence packet, taken apart. Format: docs/audit-log.md.
import type { EvidencePacket } from '../domain/packet-hash.ts';
import { utf8 } from '../domain/utf8.ts';
import { byteReader } from './byte-reader.ts';

/** Takes a packet apart, with its salt or as it was before packets had one. Throws SyntaxError where it is none. */
export function readPacket(bytes: Uint8Array, isSalted: boolean): EvidencePacket {
  const reader = byteReader(bytes);
  if (isSalted) reader.bytes(32);
  reader.tag(isSalted ? 'docket.packet.2\n' : 'docket.packet.1\n');
  const packet = {
    sha256: reader.bytes(32),
    sizeBytes: reader.int64(),
    mediaType: reader.textField(),
    locator: reader.textField(),
    version: textOrNull(reader.field()),
    sourceId: reader.textField(),
    documentKind: reader.textField(),
    capturedAtMicros: reader.int64(),
    receivedAtMicros: reader.int64(),
    documentDateDays: int32OrNull(reader.field()),
    signer: reader.textField(),
    envelope: reader.field(),
    scanNumber: reader.isAtEnd() ? null : int64Of(reader.field()),
  };
  reader.end();
  return packet;
}

function textOrNull(field: Uint8Array | null): string | null {
  return field && utf8(field);
}

function int32OrNull(field: Uint8Array | null): number | null {
  if (field === null) return null;
  const reader = byteReader(field);
  const value = reader.int32();
  reader.end();
  return value;
}

function int64Of(field: Uint8Array | null): bigint {
  const reader = byteReader(field ?? new Uint8Array());
  const value = reader.int64();
  reader.end();
  return value;
}
