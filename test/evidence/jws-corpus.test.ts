import assert from 'node:assert/strict';
import type { JsonWebKey } from 'node:crypto';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { testSignedCorpus } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const A3_PAYLOAD = '{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}';
const PUBLIC_ONLY =
  'Only public keys can be trusted here: who knows a shared secret can sign in the name of the other.';

interface Cookbook {
  readonly input: { readonly payload: string; readonly key: JsonWebKey };
  readonly output: Readonly<Record<string, unknown>>;
}
interface Vector {
  readonly jwk: JsonWebKey;
  readonly compact: string;
}

/** Checks each serialisation of a cookbook's vector; they must be judged alike. */
async function checkCookbook(bytes: Buffer): Promise<readonly SignatureReport[]> {
  const { input, output } = JSON.parse(bytes.toString()) as Cookbook;
  const { priv: _, ...key } = input.key as JsonWebKey & { priv?: string };
  const trust = trustOf(key.kty === 'oct' ? [] : [key]);
  const reports: SignatureReport[] = [];
  for (const form of Object.values(output)) {
    const envelope = Buffer.from(typeof form === 'string' ? form : JSON.stringify(form));
    reports.push(...(await checkEnvelope(envelope, contentOf(input.payload), trust, signal)));
  }
  for (const report of reports) assert.deepEqual(report, reports[0]);
  return reports.slice(0, 1);
}

function checkVector(payload: string) {
  return (bytes: Buffer): Promise<readonly SignatureReport[]> => {
    const { jwk, compact } = JSON.parse(bytes.toString()) as Vector;
    const trust = trustOf(jwk.kty === 'oct' ? [] : [jwk]);
    return checkEnvelope(Buffer.from(compact), contentOf(payload), trust, signal);
  };
}

testSignedCorpus('jws', {
  '06_rfc7520_section-4-7.json': {
    got: 'weak_algorithm, intact unknown, digest matches, whole_document',
    check: checkCookbook,
    why: PUBLIC_ONLY,
  },
  '07_rfc7797_section-4-1.json': {
    got: 'weak_algorithm, intact unknown, digest matches, whole_document',
    check: checkCookbook,
    why: PUBLIC_ONLY,
  },
  '09_ietf-cose-dilithium.json': {
    got: 'valid, intact, digest matches, whole_document',
    check: checkCookbook,
  },
  'rfc7515_a1_hs256.json': {
    got: 'weak_algorithm, intact unknown, digest matches, whole_document',
    check: checkVector(A3_PAYLOAD),
  },
  'rfc7515_a3_alg_none.json': {
    got: 'weak_algorithm, intact unknown, digest matches, whole_document',
    check: checkVector(A3_PAYLOAD),
  },
  // Of the document that the envelope now holds: its key did not sign that.
  'rfc7515_a3_es256_tampered_payload.json': {
    got: 'invalid, intact unknown, digest matches, whole_document',
    check: checkVector(A3_PAYLOAD.replace('380', '381')),
  },
  'rfc7515_a3_sig_truncated.json': {
    got: 'invalid, intact unknown, digest matches, whole_document',
    check: checkVector(A3_PAYLOAD),
  },
});
