import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { judgeCertificate, judgeKey } from '../../src/evidence/certificates/judge-certificate.ts';
import type { SignerJudgement, SigningTime } from '../../src/evidence/certificates/judge-certificate.ts';
import type { Trust, TrustAnchor } from '../../src/evidence/trust.ts';
import { AUTHORITY, OpensslAuthority, SIGNER, STAMPER } from './openssl-authority.ts';
import { trustOf } from './trust-of.ts';

const DAY = 24 * 60 * 60 * 1000;
const now = Date.now() + 60_000;
const daysLater = (days: number): Date => new Date(now + days * DAY);

const pki = new OpensslAuthority();
const root = pki.issue('root', { extensions: AUTHORITY, days: 100 });
pki.issue('office', { extensions: AUTHORITY, issuer: 'root', days: 60 });
const signer = pki.issue('signer', { extensions: SIGNER, issuer: 'office', serial: 0x77 });

interface Case {
  readonly certificate?: string;
  readonly chain?: readonly string[];
  readonly anchors?: readonly (string | Partial<TrustAnchor>)[];
  readonly lists?: readonly Buffer[];
  readonly at?: Date;
  readonly purpose?: TrustAnchor['purpose'];
  readonly signedAt?: SigningTime;
}

function trust({ anchors = [root], lists = [], at = daysLater(0) }: Case): Trust {
  return trustOf(anchors, { revocationLists: lists, judgedAt: at });
}

function judge(given: Case): SignerJudgement {
  return judgeCertificate({
    certificate: pki.certificate(given.certificate ?? 'signer'),
    chain: (given.chain ?? ['office']).map((name) => pki.certificate(name)),
    trust: trust(given),
    purpose: given.purpose ?? 'signer',
    signedAt: given.signedAt ?? null,
  });
}

test('a signer is known by a path through the authorities that are delivered with the signature', () => {
  assert.deepEqual(judge({}), {
    status: 'valid',
    anchorId: 1,
    signer: 'CN=signer,O=Depot',
    signerSha256: createHash('sha256').update(pki.certificate('signer')).digest('hex'),
    findings: [],
  });
  const { status, anchorId } = judge({ chain: [] });
  assert.deepEqual([status, anchorId], ['unknown_signer', null], 'a stripped chain leads nowhere');
});

test('a certificate of the signer is an anchor as well, and an authority in between is', () => {
  assert.equal(judge({ anchors: [signer], chain: [] }).status, 'valid');
  assert.equal(judge({ anchors: [pki.text('office.pem')], chain: [] }).status, 'valid');
});

test('authorities of the same names with another key are strangers', () => {
  pki.issue('false-root', { extensions: AUTHORITY, subject: '/O=Depot/CN=root' });
  pki.issue('false-office', { extensions: AUTHORITY, issuer: 'false-root', subject: '/O=Depot/CN=office' });
  pki.issue('false-signer', { extensions: SIGNER, issuer: 'false-office', subject: '/O=Depot/CN=signer' });
  const chain = ['false-office', 'false-root', 'office'];
  assert.equal(judge({ certificate: 'false-signer', chain }).status, 'unknown_signer');
});

test('anchors for time-stamps make no signer known, and those for signers no authority for time-stamps', () => {
  pki.issue('stamper', { extensions: STAMPER, issuer: 'root' });
  const stamper = { certificate: 'stamper', purpose: 'timestamp' } as const;
  const forStamps = { kind: 'certificate', purpose: 'timestamp', pem: root } as const;
  assert.equal(judge({ anchors: [forStamps] }).status, 'unknown_signer');
  assert.equal(judge({ ...stamper, anchors: [forStamps] }).status, 'valid');
  assert.equal(judge({ ...stamper, anchors: [root] }).status, 'unknown_signer');
});

const OTHER_USES: Record<string, [readonly string[], TrustAnchor['purpose']]> = {
  'of a web server': [[...SIGNER, 'extendedKeyUsage=serverAuth'], 'signer'],
  'of a time-stamp authority': [STAMPER, 'signer'],
  'that may encrypt only': [['keyUsage=critical,keyEncipherment'], 'signer'],
  'of a signer, for time-stamps': [SIGNER, 'timestamp'],
  'for time-stamps, but not only': [
    [...SIGNER, 'extendedKeyUsage=critical,timeStamping,codeSigning'],
    'timestamp',
  ],
  'for time-stamps, not critically': [[...SIGNER, 'extendedKeyUsage=timeStamping'], 'timestamp'],
};
for (const [what, [extensions, purpose]] of Object.entries(OTHER_USES)) {
  test(`a certificate ${what} is no certificate for it`, () => {
    pki.issue('other-use', { extensions, issuer: 'root' });
    const { status, findings } = judge({
      certificate: 'other-use',
      purpose,
      anchors: [{ kind: 'certificate', purpose, pem: root }],
    });
    assert.deepEqual([status, findings], ['unknown_signer', ['CERTIFICATE_FOR_OTHER_USE']]);
  });
}

const NO_AUTHORITIES: Record<string, readonly string[]> = {
  'is a mere signer': SIGNER,
  'may not sign certificates': ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,cRLSign'],
};
for (const [what, extensions] of Object.entries(NO_AUTHORITIES)) {
  test(`whoever ${what} makes nobody known, being an anchor or not`, () => {
    const clerk = pki.issue('clerk', { extensions, issuer: 'root' });
    pki.issue('friend', { extensions: SIGNER, issuer: 'clerk' });
    const anchors = [root, clerk];
    assert.equal(judge({ certificate: 'friend', chain: ['clerk'], anchors }).status, 'unknown_signer');
  });
}

test('no more authorities stand below one than its path length allows', () => {
  const only = [...AUTHORITY.slice(1), 'basicConstraints=critical,CA:TRUE,pathlen:0'];
  pki.issue('last', { extensions: only, issuer: 'root' });
  pki.issue('below-last', { extensions: AUTHORITY, issuer: 'last' });
  pki.issue('near', { extensions: SIGNER, issuer: 'last' });
  pki.issue('far', { extensions: SIGNER, issuer: 'below-last' });
  const chain = ['last', 'below-last'];
  assert.equal(judge({ certificate: 'near', chain }).status, 'valid');
  const { status, findings } = judge({ certificate: 'far', chain });
  assert.deepEqual([status, findings], ['unknown_signer', ['ISSUER_NO_AUTHORITY']]);
});

test('a critical extension that is not known refuses a signer and an authority', () => {
  const odd = '1.2.3.4=critical,ASN1:UTF8String:x';
  const constrained = 'nameConstraints=critical,permitted;DNS:example.com';
  pki.issue('odd', { extensions: [...SIGNER, odd], issuer: 'root' });
  pki.issue('narrow', { extensions: [...AUTHORITY, constrained], issuer: 'root' });
  pki.issue('narrowed', { extensions: SIGNER, issuer: 'narrow' });
  for (const given of [{ certificate: 'odd' }, { certificate: 'narrowed', chain: ['narrow'] }]) {
    const { status, findings } = judge(given);
    assert.deepEqual([status, findings], ['unknown_signer', ['CRITICAL_EXTENSION_UNKNOWN']]);
  }
});

test('a certificate signed with SHA-1 leads nowhere', () => {
  const args = ['-CA', 'root.pem', '-CAkey', 'root.key', '-days', '9', '-sha1', '-out', 'weak.pem'];
  pki.makeKey('weak');
  pki.run('req', '-x509', '-new', '-config', 'plain.cnf', '-key', 'weak.key', '-subj', '/CN=weak', ...args);
  const { status, findings } = judge({ certificate: 'weak' });
  assert.deepEqual([status, findings], ['unknown_signer', ['CERTIFICATE_WEAK']]);
});

test('an authority whose key is short makes nobody known', () => {
  const short = {
    rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
    curve: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp160k1'],
  };
  for (const [name, algorithm] of Object.entries(short)) {
    const pem = pki.issue(name, { extensions: AUTHORITY, issuer: 'root', algorithm });
    pki.issue('below', { extensions: SIGNER, issuer: name });
    for (const anchors of [[root], [pem]]) {
      const { status, findings } = judge({ certificate: 'below', chain: [name], anchors });
      assert.deepEqual([status, findings], ['unknown_signer', ['CERTIFICATE_WEAK']], name);
    }
  }
});

test('certificates are judged for a time: too early, in time, late, and signed in time but judged late', () => {
  const late = daysLater(35); // The signer's certificate ended on day 30.
  const signedAt = (day: number): SigningTime => ({ at: daysLater(day), by: 'signer' });
  assert.equal(judge({ at: daysLater(-2) }).status, 'not_yet_valid');
  assert.equal(judge({ at: daysLater(29) }).status, 'valid');
  assert.equal(judge({ at: late }).status, 'expired');
  assert.equal(judge({ at: late, signedAt: signedAt(5) }).status, 'expired_valid_at_signing');
  assert.equal(judge({ at: late, signedAt: signedAt(31) }).status, 'expired');
  assert.equal(judge({ at: late, signedAt: signedAt(-2) }).status, 'expired');
});

test('an anchor is believed for the window that the operator gave it, not for the one in its certificate', () => {
  const anchor = { kind: 'certificate', pem: signer } as const;
  const open = { ...anchor, validUntil: daysLater(500) };
  const closed = { ...anchor, validUntil: daysLater(1) };
  const later = { ...anchor, validFrom: daysLater(1) };
  assert.equal(judge({ anchors: [open], at: daysLater(400) }).status, 'valid');
  assert.equal(judge({ anchors: [closed], at: daysLater(2) }).status, 'expired');
  assert.equal(judge({ anchors: [later] }).status, 'not_yet_valid');
  const { status, anchorId } = judge({ anchors: [closed, open], at: daysLater(2) });
  assert.deepEqual([status, anchorId], ['valid', 2], 'the better of two anchors counts');
});

test('a key is an anchor: for bare keys and for certificates of that key, under the name that the operator gave it', () => {
  const pem = pki.text('signer.pub.pem');
  const spki = pki.bytes('signer.pub.der');
  const anchor = { pem, label: 'Depot key' };
  const expected = {
    status: 'valid',
    anchorId: 1,
    signer: 'Depot key',
    signerSha256: createHash('sha256').update(spki).digest('hex'),
    findings: [],
  };
  const question = { trust: trust({ anchors: [anchor] }), purpose: 'signer' } as const;
  assert.deepEqual(judgeKey({ spki, ...question }), expected);
  assert.deepEqual(judge({ anchors: [anchor], chain: [] }), expected);
  assert.equal(judgeKey({ spki: pki.bytes('office.pub.der'), ...question }).status, 'unknown_signer');
  const ended = { ...anchor, validUntil: daysLater(1) };
  const signedAt = { at: daysLater(0), by: 'signer' } as const;
  const late = { spki, purpose: 'signer', trust: trust({ anchors: [ended], at: daysLater(2) }) } as const;
  assert.equal(judgeKey(late).status, 'expired');
  assert.equal(judgeKey({ ...late, signedAt }).status, 'expired_valid_at_signing');
});

test('a key that fits the certificate of an anchor is judged by that certificate', () => {
  const spki = new X509Certificate(signer).publicKey.export({ type: 'spki', format: 'der' });
  const question = { spki, purpose: 'signer' } as const;
  const known = judgeKey({ ...question, trust: trust({ anchors: [signer] }) });
  assert.deepEqual([known.status, known.signer], ['valid', 'CN=signer,O=Depot']);
  const late = judgeKey({ ...question, trust: trust({ anchors: [signer], at: daysLater(35) }) });
  assert.equal(late.status, 'expired');
});

test('what is no certificate is malformed, and anchors that cannot be read lead nobody anywhere', () => {
  const junk = Buffer.from('no certificate');
  const judged = judgeCertificate({ certificate: junk, chain: [], trust: trust({}), purpose: 'signer' });
  assert.deepEqual([judged.status, judged.findings], ['malformed', ['CERTIFICATE_INVALID']]);
  const broken: Partial<TrustAnchor>[] = [{ pem: 'x' }, { kind: 'certificate', pem: 'x' }];
  assert.equal(judge({ anchors: broken }).status, 'unknown_signer');
});

test('a dozen authorities, each issued by each, are given up on before the million ways between them are walked', () => {
  const chain: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    const name = `twin${number}`;
    pki.issue(name, {
      extensions: AUTHORITY,
      subject: '/CN=twin',
      ...(number > 0 ? { keyOf: 'twin0' } : {}),
    });
    chain.push(name);
  }
  pki.issue('lost', { extensions: SIGNER, issuer: 'twin0' });
  assert.equal(judge({ certificate: 'lost', chain }).status, 'unknown_signer');
});
