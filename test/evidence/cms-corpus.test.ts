import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { TrustAnchor } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { CORPUS, testSignedCorpus } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();

interface Given {
  /** The document; without it, what openssl finds enclosed in the envelope. */
  readonly over?: string;
  readonly anchors?: readonly string[];
  readonly stampAnchors?: readonly string[];
}

function check({ over, anchors = [], stampAnchors = [] }: Given) {
  return (envelope: Buffer): Promise<readonly SignatureReport[]> => {
    const document = over === undefined ? enclosedIn(envelope) : fileOf(over);
    const trust = trustOf([
      ...anchors.map((file) => fileOf(file).toString()),
      ...stampAnchors.map((file): Partial<TrustAnchor> => {
        return { kind: 'certificate', purpose: 'timestamp', pem: fileOf(file).toString() };
      }),
    ]);
    return checkEnvelope(envelope, contentOf(document), trust, signal);
  };
}

function fileOf(path: string): Buffer {
  return readFileSync(join(CORPUS, 'signed', path));
}

/** What openssl takes out of an envelope; it verifies nothing. */
function enclosedIn(envelope: Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'docket-cms-'));
  try {
    writeFileSync(join(folder, 'in'), envelope);
    const args = ['-noverify', '-nosigs', '-inform', 'DER', '-in', 'in', '-out', 'out'];
    execFileSync('openssl', ['cms', '-verify', ...args], { cwd: folder, stdio: 'pipe' });
    return readFileSync(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Contents, certificates and requests lie beside the envelopes and are used by their rows. */
const companion = { got: '', check: () => Promise.resolve([]) };
const scan = { over: 'cms-gen/doc.png', anchors: ['cms-gen/root.cert.pem'] };
const VALID = 'valid, intact, digest matches, whole_document';
const UNKNOWN = 'unknown_signer, intact, digest matches, whole_document';
const NO_ANCHOR =
  'The digest is right, as expected. The corpus has no anchor for it, so that nobody is known to have signed.';

testSignedCorpus('cms-gen', {
  'attached.p7m': { got: VALID, check: check(scan) },
  'doc.png': companion,
  // Not the bytes that were signed; the signature itself is as good as it was.
  'doc_tampered.png': {
    got: 'invalid, intact, digest differs, no coverage',
    check: (document) =>
      checkEnvelope(fileOf('cms-gen/rsa_detached.p7s'), contentOf(document), trustOf([]), signal),
  },
  'ec.cert.pem': companion,
  'expired_signer.p7s': {
    got: 'expired, intact, digest matches, whole_document',
    check: check(scan),
  },
  'no_certs.p7s': {
    got: `unknown_signer, intact unknown, digest matches, whole_document; ${VALID}`,
    check: async (envelope) => [
      ...(await check(scan)(envelope)),
      ...(await check({ ...scan, anchors: ['cms-gen/ec.cert.pem'] })(envelope)),
    ],
    why: 'Once with the root alone, once with the certificate of the signer as an anchor.',
  },
  'rogue_ca_same_names.p7s': { got: UNKNOWN, check: check(scan) },
  'root.cert.pem': companion,
  'rsa_detached.p7s': { got: VALID, check: check(scan) },
  'rsapss_detached.p7s': { got: VALID, check: check(scan) },
});

testSignedCorpus('cms-dss', {
  'Signature-C-B-LTA-10.p7m': { got: UNKNOWN, check: check({}), why: NO_ANCHOR },
  'Signature-C-BES-4.p7m': { got: UNKNOWN, check: check({}), why: NO_ANCHOR },
  'dss-1220_CAdES-BpB_revoked_signingCertificate.p7m': {
    got: UNKNOWN,
    check: check({}),
    why: 'Its authority tells on line that the certificate was revoked; here an operator gives the list, and there is none.',
  },
  'dss-1220_CAdES-BpT_modified_ts_hash.p7m': {
    got: UNKNOWN,
    check: check({}),
    why: `${NO_ANCHOR} The broken time-stamp is the finding TIMESTAMP_BROKEN, as cms-timestamps.test.ts shows.`,
  },
  'dss-1344_screenshot.png': companion,
  'dss-1344_screenshot.png.signed_qes_detached.p7s': {
    got: UNKNOWN,
    check: check({ over: 'cms-dss/dss-1344_screenshot.png' }),
    why: NO_ANCHOR,
  },
  'dss-2011_cades-detached.pkcs7': {
    got: `${UNKNOWN}; invalid, intact, digest differs, no coverage`,
    check: async (envelope) => [
      ...(await check({ over: 'cms-dss/dss-2011_cades-detached.pkcs7.content.txt' })(envelope)),
      ...(await check({ over: 'cms-gen/doc.png' })(envelope)),
    ],
    why: NO_ANCHOR,
  },
  'dss-2011_cades-detached.pkcs7.content.txt': companion,
  'dss-2011_cades-enveloping-broken.pkcs7': {
    got: 'invalid, not intact, digest differs, no coverage',
    check: check({}),
    why: 'The document is what the envelope encloses now.',
  },
  'evidence-record_C-E-ERS-detached.p7s': {
    got: `${UNKNOWN}; invalid, intact, digest differs, no coverage`,
    check: async (envelope) => [
      ...(await check({ over: 'cms-dss/evidence-record_C-E-ERS-detached.p7s.content.txt' })(envelope)),
      ...(await check({ over: 'cms-gen/doc.png' })(envelope)),
    ],
    why: NO_ANCHOR,
  },
  'evidence-record_C-E-ERS-detached.p7s.content.txt': companion,
  'malformed-cades.p7m': {
    got: 'malformed, intact unknown, digest unknown, no coverage',
    check: check({ over: 'cms-gen/doc.png' }),
  },
  'no-key-info-cert.pkcs7': {
    got: 'unknown_signer, intact unknown, digest matches, whole_document',
    check: check({ over: 'cms-dss/dss-2011_cades-detached.pkcs7.content.txt' }),
  },
});

testSignedCorpus('tsp-gen', {
  'bitflip.tsr': {
    got: 'invalid, not intact, digest matches, whole_document',
    check: check({ over: 'tsp-gen/doc.png', stampAnchors: ['tsp-gen/tsa.cert.pem'] }),
  },
  'doc.png': companion,
  'other_document.tsr': {
    got: 'invalid, intact, digest differs, no coverage',
    check: check({ over: 'tsp-gen/doc.png', stampAnchors: ['tsp-gen/tsa.cert.pem'] }),
  },
  'q1.tsq': {
    got: 'malformed, intact unknown, digest unknown, no coverage',
    check: check({ over: 'tsp-gen/doc.png' }),
    why: 'A request is no answer.',
  },
  'tsa.cert.pem': companion,
});

const OVER_NOTHING_KNOWN = {
  got: 'invalid, intact, digest differs, no coverage',
  check: check({ over: 'tsp-gen/doc.png' }),
  why: 'It is read, and is intact; its content is not in the corpus, so that every document is another one.',
};
testSignedCorpus('tsp', {
  'archive_timestamp.tst': OVER_NOTHING_KNOWN,
  'd-trust.tsr': OVER_NOTHING_KNOWN,
  'disig.tst': OVER_NOTHING_KNOWN,
});
