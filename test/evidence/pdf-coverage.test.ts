import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocument } from '../../src/evidence/pdf/child/check-document.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { AUTHORITY, OpensslAuthority, SIGNER, STAMPER } from './openssl-authority.ts';
import { SAMPLE, appendRevision, samplePdf, signPdf, streamOf } from './signed-pdf.ts';
import type { Revision } from './signed-pdf.ts';
import { trustOf } from './trust-of.ts';

const authority = new OpensslAuthority();
const root = authority.issue('root', { extensions: AUTHORITY });
authority.issue('driver', { extensions: SIGNER, issuer: 'root' });
authority.issue('consignee', { extensions: SIGNER, issuer: 'root' });
const stamper = authority.issue('stamper', { extensions: STAMPER, issuer: 'root' });
const trust = trustOf([root, { kind: 'certificate', purpose: 'timestamp', pem: stamper }], {
  judgedAt: new Date(),
});

const SIGNED_FORM = '/AcroForm << /Fields [7 0 R] /SigFlags 3 >>';
const catalogue = (entries: string): string => SAMPLE.catalogue.replace(/>>$/, `${entries} >>`);
const signedPage = SAMPLE.firstPage.replace(/>>$/, '/Annots [7 0 R] >>');
const once = signPdf(samplePdf(), { authority, signer: 'driver', field: 7, value: 8, fields: [7] });
const twice = signPdf(once, { authority, signer: 'consignee', field: 9, value: 10, fields: [7, 9] });

async function check(bytes: Buffer): Promise<readonly SignatureReport[]> {
  authority.write('checked.pdf', bytes);
  return checkDocument(authority.path('checked.pdf'), trust, bytes.length);
}

/** Status, coverage and later changes of each signature. */
async function outcome(bytes: Buffer): Promise<string[]> {
  const reports = await check(bytes);
  return reports.map(({ status, coverage, laterChanges }) => `${status}, ${coverage}, ${laterChanges}`);
}

const WHOLE = 'valid, whole_document, none';
const CHANGED = 'valid, changed_after_signing, other';

function replaced(bytes: Buffer, old: string, by: string): Buffer {
  const at = bytes.indexOf(old, 0, 'latin1');
  assert.ok(at >= 0 && old.length === by.length, old);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(by, 'latin1'), bytes.subarray(at + old.length)]);
}

test('a signature over all bytes of the file covers the whole document', async () => {
  const [report] = await check(once);
  assert.equal(report?.signer, 'CN=driver,O=Depot');
  assert.deepEqual(await outcome(once), [WHOLE]);
  assert.deepEqual(report.findings, []);
});

test('a PDF without a signature has no report', async () => {
  assert.deepEqual(await check(samplePdf()), []);
});

test('the first of two signatures does not cover what the second one added', async () => {
  assert.deepEqual(await outcome(twice), ['valid, changed_after_signing, signatures', WHOLE]);
});

test('of two signatures one is broken where its bytes were altered, and the other is judged by itself', async () => {
  const altered = replaced(twice, '/T (S9)', '/T (X9)');
  assert.deepEqual(await outcome(altered), [
    'valid, changed_after_signing, signatures',
    'invalid, null, null',
  ]);
  const both = await check(replaced(twice, '57 cartons', '75 cartons'));
  assert.deepEqual(
    both.map(({ status, isIntact, digestMatches }) => [status, isIntact, digestMatches]),
    [
      ['invalid', true, false],
      ['invalid', true, false],
    ],
  );
});

test('whatever is appended behind the last byte range is a change, even where readers skip it', async () => {
  assert.deepEqual(await outcome(Buffer.concat([once, Buffer.from('\r\n')])), [WHOLE]);
  for (const junk of ['%comment\n', 'junk', '%%EOF\n', 'startxref\n9\n%%EOF\n', once.toString('latin1')]) {
    const [first] = await outcome(Buffer.concat([once, Buffer.from(junk, 'latin1')]));
    assert.equal(first, CHANGED, junk.slice(0, 20));
  }
});

/** Revisions behind the signature, and what has to be said of it. */
const REVISIONS: Readonly<Record<string, readonly [Revision, string]>> = {
  'the security store is validation data': [
    {
      objects: {
        1: catalogue(`${SIGNED_FORM} /DSS 11 0 R`),
        11: '<< /Certs [12 0 R] >>',
        12: streamOf('der'),
      },
    },
    'valid, whole_document, validation_data',
  ],
  'new metadata are validation data': [
    { objects: { 13: '<< /Producer (Archive) >>' }, trailer: '/Info 13 0 R' },
    'valid, whole_document, validation_data',
  ],
  'an object written again as it was is no change': [
    { objects: { 5: streamOf('BT (57 cartons) Tj ET') } },
    WHOLE,
  ],
  'other contents of a page': [{ objects: { 5: streamOf('BT (75 cartons) Tj ET') } }, CHANGED],
  'a page taken out': [{ objects: { 2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' } }, CHANGED],
  'a page that shows other contents': [
    { objects: { 3: signedPage.replace('5 0 R', '11 0 R'), 11: streamOf('BT (75 cartons) Tj ET') } },
    CHANGED,
  ],
  'an annotation over a page': [
    {
      objects: {
        3: signedPage.replace('[7 0 R]', '[7 0 R 11 0 R]'),
        11: '<< /Type /Annot /Subtype /FreeText /Rect [0 0 500 500] /Contents (75) >>',
      },
    },
    CHANGED,
  ],
  'a signature that lost its field': [
    { objects: { 1: catalogue('/AcroForm << /Fields [] /SigFlags 3 >>') } },
    CHANGED,
  ],
  'contents of a page that the security store refers to as well': [
    {
      objects: {
        1: catalogue(`${SIGNED_FORM} /DSS << /Certs [5 0 R] >>`),
        5: streamOf('BT (75 cartons) Tj ET'),
      },
    },
    CHANGED,
  ],
  'a tree of pages that is also the security store': [
    {
      objects: { 1: catalogue(`${SIGNED_FORM} /DSS 2 0 R`), 2: '<< /Type /Pages /Kids [4 0 R] /Count 1 >>' },
    },
    CHANGED,
  ],
  'an entry of the trailer': [{ objects: {}, trailer: '/Extra 5 0 R' }, CHANGED],
  'an object that nothing leads to': [{ objects: { 20: streamOf('hidden') } }, CHANGED],
  'an object that no cross-reference lists': [
    { objects: { 5: streamOf('BT (75 cartons) Tj ET') }, unlisted: [5] },
    CHANGED,
  ],
  'a key that stands twice': [
    { objects: { 1: catalogue(`${SIGNED_FORM} /DSS << >> /DSS << /Certs [] >>`) } },
    CHANGED,
  ],
};

for (const [title, [revision, expected]] of Object.entries(REVISIONS)) {
  test(`a later revision: ${title}`, async () => {
    assert.deepEqual(await outcome(appendRevision(once, revision)), [expected]);
  });
}

test('what the catalogue led to by another entry is no validation data', async () => {
  const named = catalogue(`${SIGNED_FORM} /Names 11 0 R`);
  const signed = signPdf(samplePdf(), {
    ...{ authority, signer: 'driver', field: 7, value: 8, fields: [7] },
    objects: { 1: named, 11: '<< >>' },
  });
  const objects = {
    1: named.replace('/Names', '/DSS 11 0 R /Names'),
    11: '<< /JavaScript 12 0 R >>',
    12: '<< >>',
  };
  assert.deepEqual(await outcome(appendRevision(signed, { objects })), [CHANGED]);
});

test('objects that stand in each other are a change', async () => {
  const inner = '12 0 obj\n<< >>\nendobj\n';
  const objects = {
    11: `<< /Certs 12 0 R ${streamOf(inner).slice(2)}`,
    1: catalogue(`${SIGNED_FORM} /DSS 11 0 R`),
  };
  const at =
    once.length + appendRevision(Buffer.from(once), { objects }).subarray(once.length).indexOf(inner);
  assert.deepEqual(await outcome(appendRevision(once, { objects, offsets: { 12: at } })), [CHANGED]);
});

test('cross-references that lead to bytes which the signature covers, but the document did not show, are a change', async () => {
  const orphan = appendRevision(samplePdf(), { objects: { 5: streamOf('BT (75 cartons) Tj ET') } });
  const restored = appendRevision(orphan, { objects: { 5: streamOf('BT (57 cartons) Tj ET') } });
  const signed = signPdf(restored, { authority, signer: 'driver', field: 7, value: 8, fields: [7] });
  assert.deepEqual(await outcome(signed), [WHOLE]);
  const at = signed.indexOf('5 0 obj\n<< /Length 21 >>\nstream\nBT (75 cartons)');
  assert.deepEqual(await outcome(appendRevision(signed, { objects: {}, offsets: { 5: at } })), [CHANGED]);
});

test('a revision that skips the signed one leaves the signature behind', async () => {
  const first = Number(/startxref\s+(\d+)/.exec(samplePdf().toString('latin1'))?.[1]);
  const [report] = await check(appendRevision(once, { objects: {}, previous: first }));
  assert.equal(report?.coverage, 'changed_after_signing');
  assert.ok(report.findings.includes('PDF_SIGNATURE_HIDDEN'));
});

test('a time-stamp that is shown nowhere changes nothing; one that is shown could show anything', async () => {
  const stamp = (rectangle: string): Buffer =>
    signPdf(once, {
      ...{ authority, signer: 'stamper', field: 9, value: 10, fields: [7, 9], rectangle },
      subFilter: 'ETSI.RFC3161',
      sign: (file) => {
        authority.stamp(file, 'stamper');
        authority.run('ts', '-reply', '-in', 'answer.tsr', '-token_out', '-out', 'token.der');
        return authority.bytes('token.der');
      },
    });
  const reports = await check(stamp('0 0 0 0'));
  assert.deepEqual(
    reports.map(({ purpose, status, coverage, signedAtBy }) => [purpose, status, coverage, signedAtBy]),
    [
      ['signature', 'valid', 'whole_document', 'timestamp'],
      ['timestamp', 'valid', 'whole_document', 'timestamp'],
    ],
  );
  assert.equal((await check(stamp('0 0 500 500')))[0]?.coverage, 'changed_after_signing');
});

test('a field that is filled in later is told apart from anything else', async () => {
  const field = (value: string): string =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [0 0 9 9] /P 3 0 R ${value} >>`;
  const signed = signPdf(samplePdf(), {
    ...{ authority, signer: 'driver', field: 7, value: 8, fields: [7, 11] },
    objects: { 11: field('/AP << /N 12 0 R >>'), 12: streamOf('empty') },
  });
  const filled = { 11: field('/V (Jo) /AP << /N 12 0 R >>'), 12: streamOf('Jo') };
  assert.deepEqual(await outcome(appendRevision(signed, { objects: filled })), [
    'valid, changed_after_signing, form_filling',
  ]);
  const moved = { 11: field('/V (Jo) /AP << /N 5 0 R >>'), 5: streamOf('BT (75 cartons) Tj ET') };
  assert.deepEqual(await outcome(appendRevision(signed, { objects: moved })), [CHANGED]);
});

test('a range that leaves out more than the signature covers a part', async () => {
  const range = /\/ByteRange \[0 (\d{10}) (\d{10}) (\d{10})\]/.exec(once.toString('latin1'))!;
  const [first, next, rest] = [range[1]!, range[2]!, range[3]!].map(Number) as [number, number, number];
  const withRange = (start: number, ...others: number[]): Buffer => {
    const padded = others.map((number) => String(number).padStart(10, '0')).join(' ');
    return replaced(once, range[0].slice(11), `[${start} ${padded}]`);
  };
  const signedAgain = async (
    start: number,
    length: number,
    after: number,
    end: number,
  ): Promise<string[]> => {
    const bytes = withRange(start, length, after, end);
    authority.write(
      'ranges.bin',
      Buffer.concat([bytes.subarray(start, start + length), bytes.subarray(after, after + end)]),
    );
    const hex = authority
      .sign('ranges.bin', 'driver')
      .toString('hex')
      .padEnd(next - first - 2, '0');
    return outcome(Buffer.concat([bytes.subarray(0, first + 1), Buffer.from(hex), bytes.subarray(next - 1)]));
  };
  assert.deepEqual(await signedAgain(0, first, next, rest), [WHOLE]);
  for (const [start, length, after, end] of [
    [1, first - 1, next, rest],
    [1, first, next, rest],
    [0, first - 1, next, rest],
    [0, first, next + 1, rest - 1],
    [0, first, next, rest - 1 - '%%EOF'.length],
  ] as const) {
    assert.deepEqual(await signedAgain(start, length, after, end), ['valid, partial, null']);
  }
});

test('a range outside the file fits nothing; one that is no range cannot be read', async () => {
  const range = /\[0 \d{10} \d{10} \d{10}\]/.exec(once.toString('latin1'))![0];
  const as = (text: string): Promise<string[]> => outcome(replaced(once, range, text.padEnd(range.length)));
  assert.deepEqual(await as('[0 10 20 99999999]'), ['invalid, null, null']);
  assert.deepEqual(await as('[0 30 20 10]'), ['invalid, null, null']);
  assert.deepEqual(await as('[0 10 20]'), ['malformed, null, null']);
  assert.deepEqual(await as('[0 10 20 -5]'), ['malformed, null, null']);
});

test('a signature of another file that is attached is none of this document', async () => {
  const text = once.toString('latin1');
  const attached = appendRevision(samplePdf(), { objects: { 30: streamOf(text) } });
  assert.deepEqual(await check(attached), []);
});

test('a name whose letters are written as numbers is found as well', async () => {
  const renamed = replaced(once, '/ByteRange [0 ', '/Byte#52ange[0');
  assert.equal((await check(renamed)).length, 1);
});
