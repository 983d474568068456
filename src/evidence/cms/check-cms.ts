import { DocketError } from '../../errors.ts';
import { readSignatureTimeStamps, readSignedStatement } from './attributes.ts';
import { contentDigests } from './content.ts';
import type { Content } from './content.ts';
import type { BesideSignature, StampedTime } from './part.ts';
import { reportSigner } from './report.ts';
import { DATA, readSignedData } from './structure.ts';
import type { Finding } from '../findings.ts';
import { malformed } from '../malformed-report.ts';
import type { SignatureReport } from '../signature.ts';
import { readTimeStamp, TIME_STAMP } from './timestamp-token.ts';
import type { Trust } from '../trust.ts';
import { bytesAsMessage } from '../message/verify-message.ts';

/** Signed data, and what it should have been made over. */
export interface CmsQuestion {
  readonly der: Uint8Array;
  readonly content: Content;
  readonly trust: Trust;
  readonly signal: AbortSignal;
  /** What the reports call it; without it `timestamp` or `cms`, as the signed data says. */
  readonly format?: 'pdf';
  /** What it has to be; without it, either. A PDF expects one of them, since its content never lies in the signature. */
  readonly expect?: 'detached' | 'timestamp';
  readonly beside?: BesideSignature;
}

const MAX_SIGNERS = 16;
const MAX_CERTIFICATES = 50;
const MAX_TIME_STAMPS = 4;

/**
 * Reports each signature of SignedData (RFC 5652, with what CAdES and RFC 3161 add to it); one report `malformed` if it cannot
 * be read. Rejects only if the content cannot be read or `signal` is aborted.
 */
export async function checkCms(question: CmsQuestion): Promise<readonly SignatureReport[]> {
  const { content, trust, signal, expect } = question;
  const der = Buffer.from(question.der.buffer, question.der.byteOffset, question.der.byteLength);
  const signed = readable(() => readSignedData(der));
  const isStamp = signed?.contentType === TIME_STAMP;
  const purpose = isStamp || expect === 'timestamp' ? 'timestamp' : 'signature';
  const format: SignatureReport['format'] =
    question.format ?? (purpose === 'timestamp' ? 'timestamp' : 'cms');
  const refused = (finding: Finding): SignatureReport => ({ ...malformed(format, finding), purpose });
  if (!signed || (expect && isStamp !== (expect === 'timestamp'))) return [refused('STRUCTURE_INVALID')];
  if (signed.signers.length === 0) return [refused('NO_SIGNATURES')];
  if (signed.signers.length > MAX_SIGNERS || signed.certificates.length > MAX_CERTIFICATES) {
    return [refused('SIGNATURES_TOO_MANY')];
  }
  const stamp = isStamp ? readable(() => readTimeStamp(signed.enclosed)) : null;
  if (isStamp && !stamp) return [refused('STRUCTURE_INVALID')];

  const documentDigest = contentDigests(content, signal);
  const reports: SignatureReport[] = [];
  for (const signer of signed.signers) {
    signal.throwIfAborted();
    const stamped = stamp
      ? NOT_STAMPED
      : await readStampedTime(
          readSignatureTimeStamps(signer.unsignedAttributes),
          signer.signature,
          trust,
          signal,
        );
    const statement = readable(() => readSignedStatement(signer));
    if (statement === null && (signer.signedAttributes || signed.contentType !== DATA)) {
      reports.push(refused('ATTRIBUTE_MISSING'));
      continue;
    }
    const part = { ...question, signed, signer, statement, stamp, stamped, documentDigest, format };
    reports.push((await reportSigner(part).catch(unlessUnreadable)) ?? refused('STRUCTURE_INVALID'));
  }
  return reports;
}

/** The earliest time that an authority of trust states for a signature, by tokens over its bytes. */
export async function readStampedTime(
  tokens: readonly Uint8Array[],
  signature: Uint8Array,
  trust: Trust,
  signal: AbortSignal,
): Promise<StampedTime> {
  const content = bytesAsMessage(signature);
  const times: number[] = [];
  const findings = new Set<Finding>();
  for (const der of tokens.slice(0, MAX_TIME_STAMPS)) {
    for (const stamp of await checkCms({ der, content, trust, signal, expect: 'timestamp' })) {
      const isBroken =
        stamp.status === 'malformed' || stamp.isIntact === false || stamp.digestMatches === false;
      if (isBroken) findings.add('TIMESTAMP_BROKEN');
      else if (stamp.status !== 'valid' || stamp.signedAt === null) findings.add('TIMESTAMP_UNTRUSTED');
      else times.push(Date.parse(stamp.signedAt));
    }
  }
  return { at: times.length > 0 ? new Date(Math.min(...times)) : null, findings: [...findings] };
}

const NOT_STAMPED: StampedTime = { at: null, findings: [] };

/** Null for what cannot be read; every other error is one of this program. */
function readable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    return unlessUnreadable(error);
  }
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof DocketError && error.code === 'CORRUPT_ENVELOPE') return null;
  throw error;
}
