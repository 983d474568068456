import { X509Certificate } from 'node:crypto';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { testSignedCorpus } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const DOCUMENT = '{ "title": "Hello World!" }';
/** Its certificates were valid from November 2019 to September 2021. */
const IN_TIME = new Date('2021-03-01T00:00:00Z');
const LATER = new Date('2026-11-30T00:00:00Z');

/** Checks a file against the authority that issued the certificate of its signer. */
function check(judgedAt: Date, document?: string) {
  return (bytes: Buffer): Promise<readonly SignatureReport[]> => {
    const { header, payload } = firstSignature(bytes.toString());
    const authority = new X509Certificate(Buffer.from(header.x5c[1]!, 'base64')).toString();
    const content = contentOf(document ?? Buffer.from(payload, 'base64url'));
    return checkEnvelope(bytes, content, trustOf([authority], { judgedAt }), signal);
  };
}

function firstSignature(text: string): { header: { x5c: string[] }; payload: string } {
  type Json = { payload: string; protected?: string; signatures?: { protected: string }[] };
  const [compactHeader, compactPayload] = text.split('.');
  const json = text.startsWith('{') ? (JSON.parse(text) as Json) : null;
  const encoded = json ? (json.protected ?? json.signatures![0]!.protected) : compactHeader!;
  const header = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { x5c: string[] };
  return { header, payload: json?.payload ?? compactPayload! };
}

testSignedCorpus('jades', {
  // The document is what the envelope now holds, a letter of it changed.
  'altered-jws.json': {
    got: 'invalid, not intact, digest matches, whole_document',
    check: check(IN_TIME),
  },
  'jades-level-b-full-type.json': {
    got: 'valid, intact, digest matches, whole_document',
    check: check(IN_TIME, DOCUMENT),
  },
  'jades-lta-broken-arcTst.json': {
    got: 'expired_valid_at_signing, intact, digest matches, whole_document',
    check: check(LATER, DOCUMENT),
    why: 'The signature is what its index expects; archive time-stamps are not checked, which a finding says.',
  },
  'simple-detached.json': {
    got: 'valid, intact, digest matches, whole_document',
    check: check(IN_TIME, DOCUMENT),
  },
});
