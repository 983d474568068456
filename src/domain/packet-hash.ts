// The hash of an evidence packet, from its parts alone. Format: docs/audit-log.md.
import { createHash } from 'node:crypto';
import { field, int32, int64 } from './canonical-bytes.ts';

/** What a sender stated of a scan, and when it was received. */
export interface EvidencePacket {
  sha256: Uint8Array;
  sizeBytes: bigint;
  mediaType: string;
  locator: string;
  version: string | null;
  sourceId: string;
  documentKind: string;
  /** Microseconds since 2000-01-01 00:00 UTC. */
  capturedAtMicros: bigint;
  receivedAtMicros: bigint;
  /** Days since 2000-01-01. */
  documentDateDays: number | null;
  /** The JSON text as it was delivered. */
  signer: string;
  envelope: Uint8Array | null;
  /** Null where the source does not count its scans; the packet then ends with the envelope. */
  scanNumber: bigint | null;
}

/** SHA-256 over a salt and the packet, 32 bytes: `salted_packet_sha256` in the events that name a packet. */
export function saltedPacketHash(salt: Uint8Array, packet: EvidencePacket): Buffer {
  const hash = createHash('sha256').update(salt).update('docket.packet.2\n', 'ascii');
  return hash.update(packetBytes(packet)).digest();
}

/** SHA-256 over the packet alone, 32 bytes: `packet_sha256` in events from before packets were salted. */
export function packetHash(packet: EvidencePacket): Buffer {
  return createHash('sha256').update('docket.packet.1\n', 'ascii').update(packetBytes(packet)).digest();
}

function packetBytes(packet: EvidencePacket): Buffer {
  return Buffer.concat([
    packet.sha256,
    int64(packet.sizeBytes),
    field(packet.mediaType),
    field(packet.locator),
    field(packet.version),
    field(packet.sourceId),
    field(packet.documentKind),
    int64(packet.capturedAtMicros),
    int64(packet.receivedAtMicros),
    field(packet.documentDateDays === null ? null : int32(packet.documentDateDays)),
    field(packet.signer),
    field(packet.envelope),
    ...(packet.scanNumber === null ? [] : [field(int64(packet.scanNumber))]),
  ]);
}
