// The hash of an audit event, from its fields alone. Format: docs/audit-log.md.
import { createHash } from 'node:crypto';
import { int32, int64, uuid } from './canonical-bytes.ts';

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
  const { fromState, toState, actor, reason, code, detail, prev } = event;
  const parts = [fromState, event.event, toState, actor, reason, code, detail, prev].map(bytesOf);
  const hash = createHash('sha256')
    .update(Buffer.from([0]))
    .update(DOMAIN_TAG)
    .update(uuid(event.jobId))
    .update(int32(event.seq))
    .update(int64(event.atMicros))
    .update(int32(event.attempt ?? -1));
  for (const part of parts) hash.update(int32(part?.length ?? -1));
  for (const part of parts) hash.update(part ?? EMPTY);
  return hash.digest();
}

const EMPTY = Buffer.alloc(0);

function bytesOf(value: string | Uint8Array | null): Uint8Array | null {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}
