// The bytes whose SHA-256 is the hash of an event, taken apart. Format: docs/audit-log.md.
import type { AuditEvent } from '../domain/event-hash.ts';
import { utf8 } from '../domain/utf8.ts';
import { byteReader } from './byte-reader.ts';

/** Takes the leaf of an event apart: 0x00 and the entry. Throws SyntaxError where it is none. */
export function readEventLeaf(leaf: Uint8Array): AuditEvent {
  const reader = byteReader(leaf);
  reader.tag('\u0000docket.event.1\n');
  const jobId = reader.uuid();
  const seq = reader.int32();
  const atMicros = reader.int64();
  const attempt = reader.int32();
  const lengths = Array.from({ length: 8 }, () => reader.int32());
  const contents = lengths.map((length) => (length === -1 ? null : reader.bytes(length)));
  reader.end();
  const [fromState, event, toState, actor, reason, code, detail, prev] = contents;
  if (prev && prev.length !== 32) throw new SyntaxError('the hash of the event before has not 32 bytes');
  return {
    jobId,
    seq,
    fromState: textOf(fromState),
    event: textOf(event),
    toState: textOf(toState),
    atMicros,
    actor: textOf(actor),
    reason: textOf(reason),
    code: code ? textOf(code) : null,
    attempt: attempt === -1 ? null : attempt,
    detail: textOf(detail),
    prev: prev ?? null,
  };
}

function textOf(bytes: Uint8Array | null | undefined): string {
  if (!bytes) throw new SyntaxError('a text is missing');
  return utf8(bytes);
}
