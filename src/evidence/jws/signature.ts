import { createHash, createPublicKey } from 'node:crypto';
import { fromBase64 } from '../base64.ts';
import type { SigningTime } from '../certificates/judge-certificate.ts';
import { readStampedTime } from '../cms/check-cms.ts';
import type { SignedContent } from '../envelope-format.ts';
import { LONGEST_DETAIL } from '../envelope-limits.ts';
import type { Finding } from '../findings.ts';
import { judgeMessage } from '../message/judge-message.ts';
import { jwsAlgorithm } from './algorithms.ts';
import { readJwsHeader, type JwsHeader } from './header.ts';
import type { JwsSignature } from './serialization.ts';
import { readPayload, type Payload } from './payload.ts';
import { JADES_HASHES } from './sig-d.ts';
import { readAddedProperties } from './time-stamps.ts';
import { malformed } from '../malformed-report.ts';
import type { Flaw } from '../message/signature-flaw.ts';
import type { SignatureReport } from '../signature.ts';
import { holderOfCertificate, holderOfKey, type SignerCandidate } from '../message/signer-candidate.ts';
import type { Trust } from '../trust.ts';
import type { Message } from '../message/verify-message.ts';

/** Where it was cut short, bits are left over: it can be read, and does not fit. */
const SIGNATURE = /^[\w-]*$/;

/** Reports one signature of a JWS. */
export async function checkJwsSignature(
  written: Uint8Array,
  signature: JwsSignature,
  content: SignedContent,
  trust: Trust,
  signal: AbortSignal,
): Promise<SignatureReport> {
  const header = readJwsHeader(signature);
  if (typeof header === 'string') return malformed('jws', header);
  if (!SIGNATURE.test(signature.signature)) return malformed('jws', 'BASE64_INVALID');
  const payload = await readPayload(written, header, content, signal);
  if (typeof payload === 'string') return malformed('jws', payload);
  const flaws = flawsOf(header, payload);
  const algorithm = jwsAlgorithm(header.alg);
  const scheme = flaws.length === 0 && typeof algorithm === 'object' ? algorithm : null;
  const claimed = scheme ? claimedSigner(header, trust) : null;
  if (typeof claimed === 'string') return malformed('jws', claimed);
  if (isSubstituted(header)) flaws.push({ status: 'invalid', finding: 'CERTIFICATE_SUBSTITUTED' });
  const added = readAddedProperties(header.etsiU ?? []);
  const stamped = await readStampedTime(added.timeStamps, Buffer.from(signature.signature), trust, signal);

  return judgeMessage(
    {
      format: 'jws',
      algorithm: header.alg.slice(0, LONGEST_DETAIL),
      schemes: scheme ? [scheme] : [],
      message: after(`${signature.protected}.`, payload.message),
      signature: Buffer.from(signature.signature, 'base64url'),
      claimed,
      digestMatches: payload.digestMatches,
      signedAt: stamped.at ? { at: stamped.at, by: 'timestamp' } : statedTime(header),
      flaws,
      findings: [
        ...(header.isProtected('alg') ? [] : (['ALGORITHM_NOT_PROTECTED'] as const)),
        ...(added.hasOthers ? (['UNSIGNED_PROPERTIES_NOT_CHECKED'] as const) : []),
        ...stamped.findings,
      ],
      details: {
        payload: payload.kind,
        ...Object.fromEntries(
          (['kid', 'typ', 'cty'] as const).map((name) => [
            name,
            header[name]?.slice(0, LONGEST_DETAIL) ?? null,
          ]),
        ),
      },
    },
    trust,
    signal,
  );
}

function after(start: string, message: Message): Message {
  const first = Buffer.from(start, 'latin1');
  return {
    sizeBytes: first.length + message.sizeBytes,
    async *open() {
      yield first;
      yield* message.open();
    },
  };
}

/** Why a signature cannot be checked, or is not worth it. */
function flawsOf(header: JwsHeader, payload: Payload): Flaw[] {
  const flaws: Flaw[] = [];
  const algorithm = jwsAlgorithm(header.alg);
  if (header.notUnderstood.length > 0)
    flaws.push({ status: 'unsupported', finding: 'CRITICAL_HEADER_UNKNOWN' });
  if (payload.kind === 'unknown') flaws.push({ status: 'unsupported', finding: 'SIGNED_OBJECTS_UNKNOWN' });
  if (algorithm === 'unknown') flaws.push({ status: 'unsupported', finding: 'ALGORITHM_UNKNOWN' });
  if (algorithm === 'weak') flaws.push({ status: 'weak_algorithm', finding: 'ALGORITHM_WEAK' });
  return flaws;
}

/** The signer that the header names by a certificate or a key. */
function claimedSigner({ x5c, jwk }: JwsHeader, trust: Trust): SignerCandidate | Finding | null {
  if (x5c) {
    const [certificate, ...chain] = x5c.map(fromBase64);
    const issuers = chain.filter((issuer) => issuer !== null);
    return (certificate && holderOfCertificate(certificate, issuers, trust)) ?? 'CERTIFICATE_INVALID';
  }
  try {
    return jwk ? holderOfKey(createPublicKey({ key: jwk, format: 'jwk' }), trust) : null;
  } catch {
    return 'KEY_INVALID';
  }
}

/** Whether the signer meant another certificate than the first one that lies beside the signature. */
function isSubstituted({ x5c, 'x5t#S256': sha256, 'x5t#o': other }: JwsHeader): boolean {
  const certificate = x5c && fromBase64(x5c[0] ?? '');
  if (!certificate) return false;
  const isNot = (digest: string, value: string): boolean =>
    createHash(digest).update(certificate).digest('base64url') !== value;
  return (
    (sha256 !== undefined && isNot('sha256', sha256)) ||
    (other !== undefined && isNot(JADES_HASHES[other.digAlg] ?? '', other.digVal))
  );
}

function statedTime({ sigT, iat }: JwsHeader): SigningTime | null {
  const at = sigT ?? (iat === undefined ? undefined : iat * 1000);
  return at === undefined ? null : { at: new Date(at), by: 'signer' };
}
