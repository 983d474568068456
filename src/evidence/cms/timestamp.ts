import { readElement, readElements, readNumber, TAG } from '../asn1/asn1.ts';
import { checkCms } from './check-cms.ts';
import type { EnvelopeFormat } from '../envelope-format.ts';
import { malformed } from '../malformed-report.ts';

/** Answers of a time-stamp authority (TimeStampResp of RFC 3161, .tsr): the token in them, with what came of the request before it. */
export const TIMESTAMP: EnvelopeFormat = {
  recognises: (envelope) => readAnswer(envelope) !== null,
  check: async (envelope, content, trust, signal) => {
    const der = readAnswer(envelope)?.token;
    return der
      ? checkCms({ der, content, trust, signal, expect: 'timestamp' })
      : [malformed('timestamp', 'TIMESTAMP_REFUSED')];
  },
};

/** An answer begins with a sequence that begins with a number; null for everything else. */
function readAnswer(envelope: Uint8Array): { token: Buffer | null } | null {
  try {
    const whole = readElement(Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength));
    const fields = readElements(whole);
    readNumber(readElements(fields.take(TAG.sequence)).take(TAG.integer));
    return { token: fields.takeIf(TAG.sequence)?.bytes ?? null };
  } catch {
    return null;
  }
}
