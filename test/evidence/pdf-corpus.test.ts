import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDocument } from '../../src/evidence/pdf/child/check-document.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { CORPUS, testSignedCorpus } from './signed-corpus.ts';
import type { SignedFile } from './signed-corpus.ts';
import { NOW, trustOf } from './trust-of.ts';

interface SignedPdf {
  /** For which time it is judged: a time in the life of its certificates. */
  readonly at?: string;
  /** Of each signature: status, coverage, later changes, findings. */
  readonly got: readonly string[];
  readonly why?: string;
}

/** Trust in all certificates of these PEMs, for signatures and for time-stamps. */
function inFavourOf(pems: readonly string[], at: string | undefined): ReturnType<typeof trustOf> {
  const anchors = (['signer', 'timestamp'] as const).flatMap((purpose) =>
    pems.map((pem) => ({ kind: 'certificate', label: '', purpose, pem }) as const),
  );
  return trustOf(anchors, { judgedAt: at === undefined ? NOW : new Date(at) });
}

/** The certificates that lie in a signature, as openssl finds them; none where it cannot read it. */
function enclosedIn(pdf: Buffer): string[] {
  const contents = pdf.toString('latin1').matchAll(/\/Contents\s*<([0-9A-Fa-f]{200,})>/g);
  return [...contents].flatMap(([, hex = '']) => {
    try {
      const printed = execFileSync('openssl', ['pkcs7', '-inform', 'der', '-print_certs'], {
        input: Buffer.from(hex, 'hex'),
        stdio: ['pipe', 'pipe', 'ignore'],
      }).toString();
      return printed.match(/-----BEGIN CERT[^]*?-----END CERTIFICATE-----\n/g) ?? [];
    } catch {
      return [];
    }
  });
}

function say({ purpose, status, coverage, laterChanges, findings }: SignatureReport): string {
  const what = purpose === 'timestamp' ? 'timestamp ' : '';
  const changes = laterChanges === null || laterChanges === 'none' ? '' : ` (${laterChanges})`;
  return [`${what}${status}, ${coverage ?? 'no coverage'}${changes}`, ...findings].join(' ');
}

function testPdfs(
  folder: string,
  trusted: readonly string[],
  files: Readonly<Record<string, SignedPdf | null>>,
): void {
  const rows = Object.entries(files).map(([name, row]): [string, SignedFile] => [
    name,
    {
      got: row?.got.join('; ') ?? '',
      ...(row?.why === undefined ? {} : { why: row.why }),
      check: async (bytes) => {
        if (row === null) return [];
        const path = join(CORPUS, 'signed', folder, name);
        const pems =
          trusted.length > 0
            ? trusted.map((file) => readFileSync(join(CORPUS, file), 'utf8'))
            : enclosedIn(bytes);
        return checkDocument(path, inFavourOf(pems, row.at), bytes.length);
      },
    },
  ]);
  testSignedCorpus(folder, Object.fromEntries(rows), say);
}

/** It belongs to the documents, and is none. */
const none = null;

testPdfs('dss-pades', [], {
  'AD-RB.pdf': {
    at: '2017-05-01',
    got: [
      'valid, changed_after_signing (signatures) TIMESTAMP_UNTRUSTED',
      'unknown_signer, whole_document CERTIFICATE_FOR_OTHER_USE',
    ],
    why: 'the second is intact over the whole file, but its certificate is not for signing (openssl: purpose S/MIME signing: No)',
  },
  'Signature-P-DE_SCI-4.pdf': {
    at: '2016-04-01',
    got: ['valid, whole_document (validation_data)', 'timestamp valid, whole_document'],
  },
  'doc-firmado-LT.pdf': {
    at: '2018-09-16',
    got: ['valid, whole_document (validation_data) TIMESTAMP_UNTRUSTED'],
  },
  'dss-1420_PAdES-BpB-att-SHA256-SHA3_256withRSA.pdf': {
    got: ['invalid, whole_document SIGNATURE_BROKEN'],
    why: 'broken with a reason: it says RSA with SHA3-256, but holds the SHA-256 of its attributes (openssl pkeyutl -verifyrecover)',
  },
  'dss-2236_annotation-and-visible-change.pdf': {
    at: '2020-05-01',
    got: [
      'valid, changed_after_signing (other) TIMESTAMP_UNTRUSTED',
      'valid, changed_after_signing (other) TIMESTAMP_UNTRUSTED PDF_PERMISSION_EXCEEDED',
      'valid, whole_document TIMESTAMP_UNTRUSTED',
    ],
    why: 'the last signature is over all that is there, the changes included',
  },
  'dss-2554_fieldmdp-include.pdf': { at: '2017-03-11', got: ['valid, whole_document'] },
  'evidence-record_PAdES_with_er.pdf': {
    at: '2024-12-21',
    got: ['valid, whole_document UNSIGNED_PROPERTIES_NOT_CHECKED'],
  },
  'malformed-pades.pdf': {
    at: '2019-07-05',
    got: ['invalid, no coverage CONTENT_NOT_THE_DOCUMENT'],
  },
  'open_protected.pdf': {
    got: [],
    why: 'nothing in it says that it is signed; reading it is refused as encrypted, where pages are read',
  },
  'pades-enveloping-cms.pdf': {
    at: '2021-10-05',
    got: ['invalid, whole_document CONTENT_ENCLOSED'],
  },
  'pades-enveloping-other-pdf.pdf': {
    at: '2021-03-03',
    got: ['valid, changed_after_signing (signatures)', 'timestamp valid, whole_document'],
    why: 'its signature encloses nothing (openssl asn1parse) and is over the first revision, which is all that is said; the time-stamp signs nothing',
  },
  'pades-signed-filled-form.pdf': {
    at: '2024-11-01',
    got: ['valid, changed_after_signing (form_filling)'],
  },
  'pades-unsupported-signature-algorithm.pdf': { got: ['unsupported, whole_document ALGORITHM_UNKNOWN'] },
  'pades_opposite_infinite_loop.pdf': { got: ['invalid, no coverage BYTE_RANGE_OUTSIDE'] },
  'pdf-double-signer-info.pdf': {
    at: '2024-08-01',
    got: ['valid, whole_document SIGNERS_SEVERAL', 'valid, whole_document SIGNERS_SEVERAL'],
  },
  'pdf-removed-pages.pdf': {
    at: '2018-07-11',
    got: ['valid, changed_after_signing (other) TIMESTAMP_UNTRUSTED PDF_PADDING_USED'],
    why: 'two answers: what was signed is intact, and this document is not what was signed',
  },
  'pdf-signed-out-of-byteRange.pdf': { got: ['invalid, no coverage BYTE_RANGE_OUTSIDE'] },
  'pdf-spoofing-attack.pdf': {
    at: '2021-11-24',
    got: [
      'valid, changed_after_signing (other) PDF_FIELD_MISSING',
      'valid, partial BYTE_RANGE_LEAVES_OUT_MORE',
    ],
    why: 'the copy of the signature leaves the original out of its range: never over the whole document',
  },
  'protected-readme.txt': none,
  'signature-referenced-from-multiple-fields.pdf': {
    at: '2019-12-05',
    got: ['valid, whole_document PDF_FIELDS_SEVERAL'],
  },
  'siwa.pdf': {
    at: '2018-08-10',
    got: ['valid, partial PDF_UNREADABLE BYTE_RANGE_LEAVES_OUT_MORE'],
    why: 'an attack by wrapping: the page that says MANIPULATED stands in the gap of the range, so it is no revision 1 either',
  },
  'timestamped_and_signed.pdf': {
    at: '2020-11-26',
    got: ['timestamp valid, changed_after_signing (signatures)', 'valid, whole_document'],
  },
  'wrong-digest-algo.pdf': {
    at: '2013-10-01',
    got: [
      'weak_algorithm, whole_document (validation_data) ALGORITHM_UNKNOWN TIMESTAMP_UNTRUSTED SIGNED_ATTRIBUTES_MISSING ALGORITHM_WEAK',
      'timestamp unknown_signer, whole_document (validation_data)',
      'timestamp unknown_signer, whole_document (validation_data)',
      'timestamp unknown_signer, whole_document',
    ],
    why: 'decided: adbe.pkcs7.sha1 signs a SHA-1, which proves nothing; openssl reads no certificate of the time-stamps to trust in',
  },
});

const ROOTS = ['signed/pyhanko/certs/root.cert.pem', 'signed/pyhanko/certs/selfsigned.cert.pem'];
const WITHIN = '2021-06-01';

testPdfs('pyhanko', ROOTS, {
  'certs/ca-chain.cert.pem': none,
  'certs/interm.cert.pem': none,
  'certs/root.cert.pem': none,
  'certs/selfsigned.cert.pem': none,
  'certs/signer1.cert.pem': none,
  'certs/tsa.cert.pem': none,
  'coverage-anomalies_base.pdf': { at: WITHIN, got: ['malformed, no coverage PDF_CONTENTS_EMPTY'] },
  'coverage-anomalies_tail-uncovered.pdf': { at: WITHIN, got: ['valid, partial'] },
  'ed448-shake256-nolen.pdf': {
    at: WITHIN,
    got: ['unknown_signer, whole_document'],
    why: 'the signature is intact; the Ed448 authority that it leads to is not in the corpus, so nobody trusts it',
  },
  'extensions-update-direct.pdf': {
    at: WITHIN,
    got: ['valid, changed_after_signing (signatures)', 'unknown_signer, whole_document'],
    why: 'pyHanko says FORM_FILLING of everything that signing does to a form; the second signer is not of this authority',
  },
  'form-update-ap-indirect-sneaky-trailer.pdf': {
    at: WITHIN,
    got: ['valid, changed_after_signing (signatures)', 'valid, whole_document'],
    why: 'the entry of the trailer stood there before the first signature, and its object is not changed by the second one',
  },
  'form-update-override-appearance-stream-ap-indirect-sneaky.pdf': {
    at: WITHIN,
    got: ['valid, changed_after_signing (other)', 'valid, whole_document'],
  },
  'form-update-override-appearance-stream-sneaky.pdf': {
    at: WITHIN,
    got: ['valid, changed_after_signing (other)', 'valid, whole_document'],
  },
  'form-update-override-appearance-stream.pdf': {
    at: WITHIN,
    got: ['valid, changed_after_signing (signatures)', 'valid, whole_document'],
    why: 'pyHanko says FORM_FILLING of everything that signing does to a form; here one signs, and nobody fills in',
  },
  'pades-with-old-style-signing-cert-attr.pdf': { at: WITHIN, got: ['valid, whole_document'] },
  'pdf-sig-with-econtent.pdf': {
    at: WITHIN,
    got: ['invalid, whole_document CONTENT_ENCLOSED CONTENT_ALTERED'],
  },
  'sig-no-signed-attrs.pdf': {
    at: '2020-11-02',
    got: ['valid, whole_document SIGNED_ATTRIBUTES_MISSING'],
  },
  'sig-with-ski-sid.pdf': { at: WITHIN, got: ['valid, whole_document'] },
});

testPdfs('other', [], {
  'signed.pdf': {
    at: '2021-06-01',
    got: ['valid, whole_document PDF_FORM_UNREADABLE'],
    why: 'it is encrypted under an empty password: the form cannot be read, the bytes that were signed can',
  },
});
