import type { JsonWebKey } from 'node:crypto';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { testSignedCorpus } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();

function check(document: string) {
  return (bytes: Buffer): Promise<readonly SignatureReport[]> => {
    const { jwk, envelope } = JSON.parse(bytes.toString()) as { jwk: JsonWebKey; envelope: object };
    return checkEnvelope(Buffer.from(JSON.stringify(envelope)), contentOf(document), trustOf([jwk]), signal);
  };
}

testSignedCorpus('dsse', {
  'dsse_no_signatures.json': {
    got: 'malformed, intact unknown, digest unknown, no coverage',
    check: check('hello world'),
  },
  // Of the document that the envelope now holds: its key did not sign that.
  'dsse_payload_changed.json': {
    got: 'invalid, intact unknown, digest matches, whole_document',
    check: check('hello w0rld'),
  },
});
