import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCertificate } from '../../src/evidence/certificates/judge-certificate.ts';
import type { SignerJudgement, SigningTime } from '../../src/evidence/certificates/judge-certificate.ts';
import { readRevocationListFacts } from '../../src/evidence/certificates/revocation-list-facts.ts';
import { asnTime, AUTHORITY, OpensslAuthority, SIGNER } from './openssl-authority.ts';
import { trustOf } from './trust-of.ts';

const HOUR = 60 * 60 * 1000;
const now = Date.now();
const hoursLater = (hours: number): Date => new Date(now + hours * HOUR);

const pki = new OpensslAuthority();
const root = pki.issue('root', { extensions: AUTHORITY });
pki.issue('office', { extensions: AUTHORITY, issuer: 'root', serial: 0x55 });
const signer = pki.issue('signer', { extensions: SIGNER, issuer: 'office', serial: 0x77 });

interface Case {
  readonly lists: readonly Buffer[];
  readonly at?: Date;
  readonly signedAt?: SigningTime;
  readonly anchors?: readonly string[];
}

function judge({ lists, at = hoursLater(1), signedAt, anchors = [root] }: Case): SignerJudgement {
  return judgeCertificate({
    certificate: pki.certificate('signer'),
    chain: [pki.certificate('office')],
    trust: trustOf(anchors, { revocationLists: lists, judgedAt: at }),
    purpose: 'signer',
    signedAt: signedAt ?? null,
  });
}

function answer(given: Case): string {
  const { status, findings } = judge(given);
  return [status, ...findings].join(' ');
}

const clean = pki.revoke('office', []);
const cleanRoot = pki.revoke('root', []);
const revoked = pki.revoke('office', [['77', asnTime(hoursLater(-2))]]);

test('a certificate on the list of its issuer is revoked from the hour that the list says', () => {
  assert.equal(answer({ lists: [revoked, cleanRoot] }), 'revoked CERTIFICATE_REVOKED');
  assert.equal(answer({ lists: [clean, cleanRoot] }), 'valid');
  const soon = pki.revoke('office', [['77', asnTime(hoursLater(2))]]);
  assert.equal(answer({ lists: [soon, cleanRoot], at: hoursLater(1) }), 'valid');
  assert.equal(answer({ lists: [soon, cleanRoot], at: hoursLater(3) }), 'revoked CERTIFICATE_REVOKED');
  const others = pki.revoke('office', [['78', asnTime(hoursLater(-2))]]);
  assert.equal(answer({ lists: [others, cleanRoot] }), 'valid');
});

test('that the certificate of the signer is revoked outdoes that it is an anchor', () => {
  assert.equal(
    answer({ lists: [revoked, cleanRoot], anchors: [signer, root] }),
    'revoked CERTIFICATE_REVOKED',
  );
});

test('an authority that was revoked by the one above makes nobody known', () => {
  const lists = [clean, pki.revoke('root', [['55', asnTime(hoursLater(-2))]])];
  assert.equal(answer({ lists }), 'revoked ISSUER_REVOKED');
});

test('a trusted time-stamp from before the revocation saves a signature; what the signer says does not', () => {
  const lists = [revoked, cleanRoot];
  const before = hoursLater(-3);
  assert.equal(answer({ lists, signedAt: { at: before, by: 'timestamp' } }), 'valid REVOKED_AFTER_SIGNING');
  assert.equal(answer({ lists, signedAt: { at: before, by: 'signer' } }), 'revoked CERTIFICATE_REVOKED');
  const after = { at: hoursLater(-1), by: 'timestamp' } as const;
  assert.equal(answer({ lists, signedAt: after }), 'revoked CERTIFICATE_REVOKED');
});

test('where the key was known to be in wrong hands earlier, that hour counts', () => {
  const times = `${asnTime(hoursLater(-2))},keyTime,20${asnTime(hoursLater(-4))}`;
  const lists = [pki.revoke('office', [['77', times]]), cleanRoot];
  const between = { at: hoursLater(-3), by: 'timestamp' } as const;
  assert.equal(answer({ lists, signedAt: between }), 'revoked CERTIFICATE_REVOKED');
});

test('a list counts only if the issuer of the certificate signed it', () => {
  pki.issue('false-office', { extensions: AUTHORITY, subject: '/O=Depot/CN=office' });
  const forged = pki.revoke('false-office', [['77', asnTime(hoursLater(-2))]]);
  const tampered = Buffer.from(revoked);
  tampered[tampered.length - 3]! ^= 1;
  for (const list of [forged, tampered, Buffer.from('no list'), revoked.subarray(0, 90)]) {
    assert.equal(answer({ lists: [list, cleanRoot] }), 'valid REVOCATION_NOT_KNOWN');
  }
});

test('an authority that may sign no lists revokes nobody', () => {
  const silent = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];
  pki.issue('silent', { extensions: silent, issuer: 'root' });
  pki.issue('heard', { extensions: SIGNER, issuer: 'silent', serial: 0x79 });
  const { status } = judgeCertificate({
    certificate: pki.certificate('heard'),
    chain: [pki.certificate('silent')],
    trust: trustOf([root], {
      revocationLists: [pki.revoke('silent', [['79', asnTime(hoursLater(-2))]])],
      judgedAt: hoursLater(1),
    }),
    purpose: 'signer',
  });
  assert.equal(status, 'valid');
});

test('an old list still revokes, and what it does not name is not known', () => {
  const late = hoursLater(24 * 12); // Lists are in force for ten days.
  assert.equal(answer({ lists: [clean, cleanRoot], at: late }), 'valid REVOCATION_NOT_KNOWN');
  assert.equal(answer({ lists: [revoked], at: late }), 'revoked CERTIFICATE_REVOKED REVOCATION_NOT_KNOWN');
  assert.equal(answer({ lists: [] }), 'valid', 'where no list is given, nothing is said of lists');
});

test('a hold counts until a newer list has lifted it; a revocation counts for good', () => {
  const held = pki.revoke('office', [
    ['77', `${asnTime(hoursLater(-2))},holdInstruction,holdInstructionReject`],
  ]);
  assert.equal(answer({ lists: [held, cleanRoot] }), 'revoked CERTIFICATE_REVOKED');
  const newer = pki.revoke('office', [], hoursLater(0.5));
  assert.equal(answer({ lists: [held, newer, cleanRoot] }), 'valid');
  assert.equal(answer({ lists: [revoked, newer, cleanRoot] }), 'revoked CERTIFICATE_REVOKED');
});

test('a list of other certificates lifts no hold; a newer one of the same certificates does', () => {
  const hold = ['77', `${asnTime(hoursLater(-2))},holdInstruction,holdInstructionReject`] as const;
  const held = pki.revoke('office', [hold]);
  const heldUser = pki.revoke('office', [hold], undefined, 'onlyuser');
  const newerUser = pki.revoke('office', [], hoursLater(0.5), 'onlyuser');
  const newerOther = pki.revoke('office', [], hoursLater(0.6), 'onlyCA');
  for (const lists of [
    [held, newerOther],
    [held, newerUser],
    [heldUser, newerOther],
  ]) {
    assert.match(answer({ lists: [...lists, cleanRoot] }), /^revoked CERTIFICATE_REVOKED/);
  }
  assert.match(answer({ lists: [heldUser, newerUser, cleanRoot] }), /^valid/);
});

test('a list of thousands is read, to the last one, and shown as openssl reads it', () => {
  const subject = '/O=Depot, North/OU=Lager\u00e4/CN=many';
  pki.issue('many', { extensions: AUTHORITY, subject, keyOf: 'office' });
  const lines = Array.from(
    { length: 3_000 },
    (_, index) => [(0x1000 + index).toString(16).toUpperCase(), '200101000000Z'] as const,
  );
  const list = pki.revoke('many', [...lines, ['77', '200101000000Z']]);
  pki.write('many.crl', list);
  const shown = pki.run(
    'crl',
    '-in',
    'many.crl',
    '-inform',
    'DER',
    '-noout',
    '-issuer',
    '-nameopt',
    'RFC2253,-esc_msb',
  );
  const facts = readRevocationListFacts(list);
  assert.equal(`issuer=${facts?.issuer}\n`, shown.toString());
  assert.equal(facts?.revoked, 3_001);
  assert.equal(readRevocationListFacts(Buffer.concat([list, Buffer.from('x')])), null);
  assert.equal(answer({ lists: [list, cleanRoot] }), 'revoked CERTIFICATE_REVOKED');
});
