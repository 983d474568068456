import { CMS } from './cms/cms.ts';
import { DSSE } from './dsse/dsse.ts';
import type { EnvelopeFormat, SignedContent } from './envelope-format.ts';
import { JWS } from './jws/jws.ts';
import { malformed } from './malformed-report.ts';
import type { SignatureReport } from './signature.ts';
import { TIMESTAMP } from './cms/timestamp.ts';
import type { Trust } from './trust.ts';

/** The formats that are known, in the order in which they are asked. */
const FORMATS: readonly EnvelopeFormat[] = [DSSE, JWS, TIMESTAMP, CMS];

/** Reports each signature of an envelope that was delivered beside a document; always one report at least. */
export async function checkEnvelope(
  envelope: Uint8Array,
  content: SignedContent,
  trust: Trust,
  signal: AbortSignal,
): Promise<readonly SignatureReport[]> {
  signal.throwIfAborted();
  const format = FORMATS.find((candidate) => candidate.recognises(envelope));
  return format ? format.check(envelope, content, trust, signal) : [malformed('unknown', 'FORMAT_UNKNOWN')];
}
