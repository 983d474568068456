import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocument } from '../../src/evidence/pdf/child/check-document.ts';
import { AUTHORITY, OpensslAuthority, SIGNER, STAMPER } from './openssl-authority.ts';
import { SAMPLE, appendRevision, samplePdf, signPdf, streamOf } from './signed-pdf.ts';
import type { Signing } from './signed-pdf.ts';
import { trustOf } from './trust-of.ts';

/** Documents that were prepared before they were signed, so that a harmless addition shows something else. */

const authority = new OpensslAuthority();
const root = authority.issue('root', { extensions: AUTHORITY });
authority.issue('driver', { extensions: SIGNER, issuer: 'root' });
const stamper = authority.issue('stamper', { extensions: STAMPER, issuer: 'root' });
const trust = trustOf([root, { kind: 'certificate', purpose: 'timestamp', pem: stamper }], {
  judgedAt: new Date(),
});

const SIGNED_FORM = '/AcroForm << /Fields [7 0 R] /SigFlags 3 >>';
const withStore = SAMPLE.catalogue.replace(/>>$/, `${SIGNED_FORM} /DSS 11 0 R >>`);
const store = { 1: withStore, 11: '<< /Certs [12 0 R] >>' };
const FORGED = streamOf('BT (75 cartons) Tj ET');
const WHOLE = 'whole_document, validation_data';
const CHANGED = 'changed_after_signing, other';

const sign = (signing: Partial<Signing> = {}): Buffer =>
  signPdf(samplePdf(), { authority, signer: 'driver', field: 7, value: 8, fields: [7], ...signing });
const page = (contents: string): string =>
  SAMPLE.firstPage.replace('5 0 R', contents).replace(/>>$/, '/Annots [7 0 R] >>');

async function outcome(bytes: Buffer): Promise<string> {
  authority.write('checked.pdf', bytes);
  const [report] = await checkDocument(authority.path('checked.pdf'), trust, bytes.length);
  assert.equal(report?.status, 'valid');
  return `${report.coverage}, ${report.laterChanges}`;
}

test('an object that the signed pages already led to is no validation data', async () => {
  const signed = sign({ objects: { 3: page('[5 0 R 12 0 R]') } });
  assert.equal(await outcome(signed), 'whole_document, none');
  assert.equal(await outcome(appendRevision(signed, { objects: { ...store, 12: FORGED } })), CHANGED);
  assert.equal(await outcome(appendRevision(sign(), { objects: { ...store, 12: FORGED } })), WHOLE);
});

test('a stream of objects that the signed pages already led to is a change', async () => {
  const signed = sign({ objects: { 3: page('[5 0 R 12 0 R]') } });
  const packed = streamOf('BT (75 cartons) Tj ET').replace('<<', '<< /Type /ObjStm /N 0 /First 0');
  assert.equal(await outcome(appendRevision(signed, { objects: { 12: packed } })), CHANGED);
});

test('a field of the signed form that a page only shows later is a change', async () => {
  const field =
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [0 0 500 500] /AP << /N 14 0 R >> >>';
  const signed = sign({ fields: [7, 13], objects: { 3: page('5 0 R'), 13: field, 14: FORGED } });
  const shown = page('5 0 R').replace('[7 0 R]', '[7 0 R 13 0 R]');
  assert.notEqual(await outcome(appendRevision(signed, { objects: { 3: shown } })), WHOLE);
});

test('an object under another generation is a change', async () => {
  const text = appendRevision(sign(), { objects: { 5: streamOf('BT (57 cartons) Tj ET') } }).toString(
    'latin1',
  );
  const at = text.lastIndexOf('\n5 0 obj');
  const renamed = `${text.slice(0, at)}\n5 1 obj${text.slice(at + 8)}`.replace(
    / 00000 n \ntrailer\n(?![^]*trailer)/,
    ' 00001 n \ntrailer\n',
  );
  assert.equal(await outcome(Buffer.from(renamed, 'latin1')), CHANGED);
});

test('objects within a certificate of the security store are a change', async () => {
  const hidden = streamOf(`x\n5 0 obj\n${FORGED}\nendobj\nx`);
  assert.equal(await outcome(appendRevision(sign(), { objects: { ...store, 12: hidden } })), CHANGED);
  const trailer = streamOf('x\ntrailer\n<< /Root 9 0 R >>\nx');
  assert.equal(await outcome(appendRevision(sign(), { objects: { ...store, 12: trailer } })), CHANGED);
});

test('so much space at the end that readers miss the cross-references is a change', async () => {
  const signed = sign();
  assert.equal(await outcome(Buffer.concat([signed, Buffer.from(' '.repeat(20))])), 'whole_document, none');
  assert.equal(await outcome(Buffer.concat([signed, Buffer.from(' '.repeat(1200))])), CHANGED);
});

test('a size that leaves out objects is a change', async () => {
  for (const size of [5, 12]) {
    const text = appendRevision(sign(), { objects: { ...store, 12: streamOf('der') } }).toString('latin1');
    const at = text.lastIndexOf('/Size 100');
    const sized = Buffer.from(`${text.slice(0, at)}/Size ${size}${text.slice(at + 9)}`, 'latin1');
    assert.equal(await outcome(sized), CHANGED);
  }
});

test('a time-stamp whose field does something is no validation data', async () => {
  const stamp = (entries: string): Buffer => {
    const signed = sign();
    return signPdf(signed, {
      ...{ authority, signer: 'stamper', field: 9, value: 10, fields: [7, 9], subFilter: 'ETSI.RFC3161' },
      rectangle: `0 0 0 0] ${entries} /BS [`,
      sign: (file) => {
        authority.stamp(file, 'stamper');
        authority.run('ts', '-reply', '-in', 'answer.tsr', '-token_out', '-out', 'token.der');
        return authority.bytes('token.der');
      },
    });
  };
  assert.equal(await outcome(stamp('')), WHOLE);
  const action = '<< /S /JavaScript /JS (this.getField\\("x"\\)) >>';
  assert.notEqual(await outcome(stamp(`/AA << /PO ${action} >>`)), WHOLE);
  assert.notEqual(await outcome(stamp(`/A ${action}`)), WHOLE);
});
