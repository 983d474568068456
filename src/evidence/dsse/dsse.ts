import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fromBase64 } from '../base64.ts';
import { DSSE_SCHEMES } from './schemes.ts';
import type { EnvelopeFormat, SignedContent } from '../envelope-format.ts';
import { LONGEST_DETAIL, MOST_SIGNATURES } from '../envelope-limits.ts';
import type { Finding } from '../findings.ts';
import { IN_TOTO, readStatement } from './in-toto-statement.ts';
import { judgeMessage } from '../message/judge-message.ts';
import { readJsonObject } from '../json-object.ts';
import { malformed } from '../malformed-report.ts';
import type { Flaw } from '../message/signature-flaw.ts';
import type { SignatureReport } from '../signature.ts';
import { bytesAsMessage } from '../message/verify-message.ts';

const ENVELOPE = z.object({
  payload: z.string(),
  payloadType: z.string(),
  signatures: z.array(z.object({ keyid: z.string().nullish(), sig: z.string() })),
});

/** What the payload says of the document. */
interface Subject {
  readonly payload: 'document' | 'statement';
  readonly predicateType: string | null;
  readonly digestMatches: boolean | null;
  readonly flaws: readonly Flaw[];
}

/** Dead Simple Signing Envelopes: the payload is the document, or a statement of in-toto about it. */
export const DSSE: EnvelopeFormat = {
  recognises(envelope) {
    const value = readJsonObject(envelope);
    return value !== null && 'payloadType' in value;
  },

  async check(envelope, content, trust, signal) {
    const read = readEnvelope(envelope);
    if (typeof read === 'string') return [malformed('dsse', read)];
    const subject = subjectOf(read.payloadType, read.payload, content);
    if (typeof subject === 'string') return [malformed('dsse', subject)];
    const { flaws, digestMatches, ...details } = subject;
    const message = bytesAsMessage(preAuthenticationEncoding(read.payloadType, read.payload));
    const reports: SignatureReport[] = [];
    for (const { sig, keyid } of read.signatures) {
      const signature = fromBase64(sig);
      if (!signature) {
        reports.push(malformed('dsse', 'BASE64_INVALID'));
        continue;
      }
      const signed = {
        format: 'dsse' as const,
        algorithm: null,
        schemes: DSSE_SCHEMES,
        message,
        signature,
        claimed: null,
        digestMatches,
        signedAt: null,
        flaws,
        findings: [],
        details: {
          ...details,
          payloadType: read.payloadType.slice(0, LONGEST_DETAIL),
          keyid: keyid?.slice(0, LONGEST_DETAIL) ?? null,
        },
      };
      reports.push(await judgeMessage(signed, trust, signal));
    }
    return reports;
  },
};

type ReadEnvelope = Omit<z.infer<typeof ENVELOPE>, 'payload'> & { readonly payload: Buffer };

function readEnvelope(bytes: Uint8Array): ReadEnvelope | Finding {
  const { success, data } = ENVELOPE.safeParse(readJsonObject(bytes));
  if (!success) return 'FIELD_INVALID';
  if (data.signatures.length === 0) return 'NO_SIGNATURES';
  if (data.signatures.length > MOST_SIGNATURES) return 'SIGNATURES_TOO_MANY';
  const payload = fromBase64(data.payload);
  return payload ? { ...data, payload } : 'BASE64_INVALID';
}

function subjectOf(payloadType: string, payload: Buffer, content: SignedContent): Subject | Finding {
  if (payloadType !== IN_TOTO) {
    const digestMatches = createHash('sha256').update(payload).digest().equals(content.sha256);
    return { payload: 'document', predicateType: null, digestMatches, flaws: [] };
  }
  const statement = readStatement(payload);
  if (!statement) return 'FIELD_INVALID';
  const { sha256s } = statement;
  const hash = Buffer.from(content.sha256).toString('hex');
  return {
    payload: 'statement',
    predicateType: statement.predicateType.slice(0, LONGEST_DETAIL),
    digestMatches: sha256s.length > 0 ? sha256s.some((sha256) => sha256.toLowerCase() === hash) : null,
    flaws: sha256s.length > 0 ? [] : [{ status: 'unsupported', finding: 'SIGNED_OBJECTS_UNKNOWN' }],
  };
}

/** What is signed: the type is part of it, so that nothing signed as one thing is taken for another. */
function preAuthenticationEncoding(payloadType: string, payload: Buffer): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `), payload]);
}
