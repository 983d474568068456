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
}

const DOMAIN_TAG = Buffer.from('docket.packet.1\n', 'ascii');

/** SHA-256 over the packet, 32 bytes: `packet_sha256` in the event `verified`. */
export function packetHash(packet: EvidencePacket): Buffer {
  return createHash('sha256')
    .update(DOMAIN_TAG)
    .update(packet.sha256)
    .update(int64(packet.sizeBytes))
    .update(field(packet.mediaType))
    .update(field(packet.locator))
    .update(field(packet.version))
    .update(field(packet.sourceId))
    .update(field(packet.documentKind))
    .update(int64(packet.capturedAtMicros))
    .update(int64(packet.receivedAtMicros))
    .update(field(packet.documentDateDays === null ? null : int32(packet.documentDateDays)))
    .update(field(packet.signer))
    .update(field(packet.envelope))
    .digest();
}
