import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSignaturesJson } from '../../src/attempts/signatures-json.ts';
import { signatureReport } from '../sql/verify-signed.ts';

test('names that no database can store as text are kept without what it cannot store', () => {
  const judgedAt = new Date('2026-09-29T08:00:00Z');
  const strange = { signer: 'CN=a\0b\ud800', details: { issuer: `CN=${'x'.repeat(3_000)}` } };
  const json = toSignaturesJson([
    { deliveryId: '12', place: 'envelope', judgedAt, reports: [signatureReport(strange)] },
  ]);
  assert.doesNotMatch(json, /\\u0000|\\ud800/);
  const [looked] = JSON.parse(json) as [{ reports: [{ signer: string; details: { issuer: string } }] }];
  assert.equal(looked.reports[0].signer, 'CN=a\u{FFFD}b\u{FFFD}');
  assert.equal(looked.reports[0].details.issuer.length, 2_000);
  assert.deepEqual(
    { ...looked, reports: [] },
    { delivery: '12', place: 'envelope', judgedAt: '2026-09-29T08:00:00.000Z', reports: [] },
  );
});
