// The hash of an audit event, from its fields alone. Format: docs/audit-log.md.
import { createHash } from 'node:crypto';
import { field, int32, int64, uuid } from './canonical-bytes.ts';

/** One audit event as it is hashed. */
export interface AuditEvent {
  jobId: string;
  seq: number;
  fromState: string;
  event: string;
  toState: string;
  /** Microseconds since 2000-01-01 00:00 UTC; the two ends of int64 stand for infinity. */
  atMicros: bigint;
  actor: string;
  reason: string;
  code: string | null;
  attempt: number | null;
  /** The text of the JSON object, as it stands. */
  detail: string;
  /** Hash of the previous event of the job; null for the first. */
  prev: Uint8Array | null;
}

const DOMAIN_TAG = Buffer.from('docket.event.1\n', 'ascii');

/** SHA-256 over 0x00 and the entry, 32 bytes: the hash of the event and its leaf in the Merkle log (RFC 6962, 2.1). */
export function eventHash(event: AuditEvent): Buffer {
  return createHash('sha256')
    .update(Buffer.from([0]))
    .update(DOMAIN_TAG)
    .update(uuid(event.jobId))
    .update(int32(event.seq))
    .update(field(event.fromState))
    .update(field(event.event))
    .update(field(event.toState))
    .update(int64(event.atMicros))
    .update(field(event.actor))
    .update(field(event.reason))
    .update(field(event.code))
    .update(int32(event.attempt ?? -1))
    .update(field(event.detail))
    .update(field(event.prev))
    .digest();
}
