import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import { contentOf } from './content-of.ts';
import { AUTHORITY, OpensslAuthority, SIGNER } from './openssl-authority.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const { signal } = new AbortController();
const judgedAt = new Date(Date.now() + 60_000);
const DOCUMENT = 'One pallet, seals intact, received in good order.';
const VALID = 'valid, intact, digest matches, whole_document';
const OTHER = 'invalid, intact, digest differs, no coverage';

const pki = new OpensslAuthority();
pki.write('document', DOCUMENT);
pki.write('other', `${DOCUMENT}.`);
const root = pki.issue('root', { extensions: AUTHORITY });
pki.issue('office', { extensions: AUTHORITY, issuer: 'root' });
pki.issue('signer', { extensions: [...SIGNER, 'subjectKeyIdentifier=hash'], issuer: 'office', serial: 0x77 });
pki.issue('consignee', { extensions: SIGNER, issuer: 'root' });
const RSA = ['-algorithm', 'RSA', '-pkeyopt'];
pki.issue('rsa', { extensions: SIGNER, issuer: 'root', algorithm: [...RSA, 'rsa_keygen_bits:2048'] });
const chain = ['-certfile', 'office.pem'];
const signed = pki.sign('document', 'signer', ...chain);

function check(
  envelope: Uint8Array,
  given: Partial<Trust> & { document?: string } = {},
): Promise<readonly SignatureReport[]> {
  const trust = { ...trustOf([root]), judgedAt, ...given };
  return checkEnvelope(envelope, contentOf(given.document ?? DOCUMENT), trust, signal);
}

async function inOneLine(...given: Parameters<typeof check>): Promise<string> {
  return (await check(...given)).map(inShort).join('; ');
}

test('a detached signature says who signed which bytes, judged against which anchor', async () => {
  const [report] = await check(signed);
  const certificate = pki.run('x509', '-in', 'signer.pem', '-noout', '-serial', '-fingerprint', '-sha256');
  const [, serial, hash] = /serial=(\w+)\n.*=(.*)\n/.exec(certificate.toString()) ?? [];
  assert.ok(report?.signedAt && Math.abs(Date.parse(report.signedAt) - Date.now()) < 600_000);
  assert.deepEqual(
    { ...report, signedAt: null },
    {
      format: 'cms',
      purpose: 'signature',
      status: 'valid',
      isIntact: true,
      digestMatches: true,
      coverage: 'whole_document',
      laterChanges: null,
      signer: 'CN=signer,O=Depot',
      signerSha256: hash?.replaceAll(':', '').toLowerCase(),
      anchorId: 1,
      algorithm: 'ecdsa-with-SHA256',
      signedAt: null,
      signedAtBy: 'signer',
      findings: [],
      details: {
        isEnclosed: false,
        digestAlgorithm: 'sha256',
        issuer: 'CN=office,O=Depot',
        serialNumber: serial?.toLowerCase(),
      },
    },
  );
});

test('a signature over other bytes is intact, and not of this document', async () => {
  assert.equal(await inOneLine(signed, { document: `${DOCUMENT}.` }), OTHER);
});

const PSS = ['-keyopt', 'rsa_padding_mode:pss'];
const WAYS: Record<string, [signer: string, ...args: string[]]> = {
  sha224WithRSAEncryption: ['rsa', '-md', 'sha224'],
  sha384WithRSAEncryption: ['rsa', '-md', 'sha384'],
  sha512WithRSAEncryption: ['rsa', '-md', 'sha512'],
  'sha3-256WithRSAEncryption': ['rsa', '-md', 'sha3-256'],
  'sha256WithRSASSA-PSS': ['rsa', ...PSS],
  'sha512WithRSASSA-PSS': ['rsa', '-md', 'sha512', ...PSS, '-keyopt', 'rsa_pss_saltlen:20'],
  'ecdsa-with-SHA384': ['consignee', '-md', 'sha384'],
  'ecdsa-with-SHA512': ['consignee', '-md', 'sha512'],
};
for (const [algorithm, [signer, ...args]] of Object.entries(WAYS)) {
  test(`${algorithm} is checked`, async () => {
    const envelope = pki.sign('document', signer, ...args);
    assert.equal((await check(envelope))[0]?.algorithm, algorithm);
    assert.equal(await inOneLine(envelope), VALID);
    assert.equal(await inOneLine(envelope, { document: 'x' }), OTHER);
  });
}

test('the content may be enclosed: then it has to be the document, and what was signed', async () => {
  const enclosing = pki.sign('document', 'consignee', '-nodetach');
  assert.equal(await inOneLine(enclosing), VALID);
  assert.equal(await inOneLine(enclosing, { document: `${DOCUMENT}.` }), OTHER);
  const at = enclosing.indexOf('pallet');
  const altered = Buffer.from(enclosing);
  altered.write('Pallet', at);
  const [report] = await check(altered, { document: DOCUMENT.replace('pallet', 'Pallet') });
  assert.equal(inShort(report!), 'invalid, not intact, digest differs, no coverage');
  assert.deepEqual(report?.findings, ['CONTENT_ALTERED', 'CONTENT_NOT_THE_DOCUMENT']);
});

test('it may be written in pieces of unknown length, as PEM, name its certificate by key id, or have none', async () => {
  const streamed = pki.sign('document', 'consignee', '-nodetach', '-stream');
  assert.equal(streamed[1], 0x80);
  assert.equal(await inOneLine(streamed), VALID);
  for (const label of ['CMS', 'PKCS7']) {
    const lines = signed.toString('base64').replace(/.{64}/g, '$&\n');
    assert.equal(
      await inOneLine(Buffer.from(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`)),
      VALID,
    );
  }
  assert.equal(await inOneLine(pki.sign('document', 'signer', ...chain, '-keyid')), VALID);
  const bare = pki.sign('document', 'signer', '-nocerts');
  const missing = 'unknown_signer, intact unknown, digest matches, whole_document';
  assert.equal(await inOneLine(bare), missing);
  assert.equal(await inOneLine(bare, trustOf([pki.text('signer.pem')], { judgedAt })), VALID);
  assert.equal(await inOneLine(bare, trustOf([{ pem: pki.text('signer.pub.pem') }], { judgedAt })), VALID);
});

test('without signed attributes the signature is over the content itself, and a mismatch has one reason only', async () => {
  const detached = pki.sign('document', 'rsa', '-noattr');
  assert.equal(await inOneLine(detached), VALID);
  assert.equal(
    await inOneLine(detached, { document: 'x' }),
    'invalid, not intact, digest unknown, no coverage',
  );
  const enclosing = pki.sign('document', 'consignee', '-noattr', '-nodetach');
  assert.equal(await inOneLine(enclosing), VALID);
  assert.equal(await inOneLine(enclosing, { document: 'x' }), OTHER);
  for (const envelope of [detached, enclosing]) {
    assert.deepEqual((await check(envelope))[0]?.findings, ['SIGNED_ATTRIBUTES_MISSING']);
  }
});

test('a stripped chain leads to no anchor', async () => {
  const stripped = pki.sign('document', 'signer');
  assert.equal(await inOneLine(stripped), 'unknown_signer, intact, digest matches, whole_document');
});

test('a certificate on a list that the operator gave is revoked', async () => {
  const revocationLists = [pki.revoke('office', [['77', '200101000000Z']])];
  const [report] = await check(signed, { revocationLists });
  assert.equal(report?.status, 'revoked');
  assert.equal(report.isIntact, true);
});

test('of two signatures one may be broken, and the other one is not', async () => {
  const both = pki.sign(
    'document',
    'signer',
    ...chain,
    '-signer',
    'consignee.pem',
    '-inkey',
    'consignee.key',
  );
  const names = (await check(both)).map(({ signer, status }) => `${signer} ${status}`);
  assert.deepEqual(names.sort(), ['CN=consignee,O=Depot valid', 'CN=signer,O=Depot valid']);
  const broken = Buffer.from(both);
  broken[broken.length - 1]! ^= 1; // The signature of the last one.
  assert.equal(await inOneLine(broken), `${VALID}; invalid, not intact, digest matches, whole_document`);
});

test('weak algorithms and short keys prove nothing, even where they lead to an anchor', async () => {
  pki.issue('short', { extensions: SIGNER, issuer: 'root', algorithm: [...RSA, 'rsa_keygen_bits:1024'] });
  const weak = 'weak_algorithm, intact, digest matches, whole_document';
  const cases = { short: 'KEY_SHORT', rsa: 'ALGORITHM_WEAK' };
  for (const [signer, finding] of Object.entries(cases)) {
    const args = signer === 'rsa' ? ['-md', 'sha1'] : [];
    const envelope = pki.sign('document', signer, ...args);
    assert.equal(await inOneLine(envelope), weak);
    assert.deepEqual((await check(envelope))[0]?.findings, [finding]);
  }
});

test('whichever bit is flipped, nothing that was not signed is called signed', async () => {
  const [original] = await check(signed);
  for (let at = 0; at < signed.length; at += 1) {
    const flipped = Buffer.from(signed);
    flipped[at]! ^= 1 << (at % 8);
    const reports = await check(flipped);
    assert.ok(reports.length > 0);
    for (const report of reports) if (report.status === 'valid') assert.deepEqual(report, original);
  }
});

test('wherever it breaks off, it is malformed', async () => {
  for (let length = 0; length < signed.length; length += 1) {
    assert.equal((await check(signed.subarray(0, length)))[0]?.status, 'malformed');
  }
  assert.equal((await check(Buffer.concat([signed, Buffer.from('x')])))[0]?.status, 'malformed');
});

test('the document is not read for a digest that is known, and once for another one', async () => {
  const read = async (envelope: Buffer): Promise<number> => {
    let count = 0;
    const content = contentOf(DOCUMENT);
    const open = (): AsyncIterable<Uint8Array> => {
      count += 1;
      return content.open();
    };
    await checkEnvelope(envelope, { ...content, open }, trustOf([root]), signal);
    return count;
  };
  assert.equal(await read(signed), 0);
  const second = ['-signer', 'consignee.pem', '-inkey', 'consignee.key'];
  assert.equal(await read(pki.sign('document', 'signer', ...second, '-md', 'sha512')), 1);
});

test('a check that is called off ends', async () => {
  const check = checkEnvelope(signed, contentOf(DOCUMENT), trustOf([root]), AbortSignal.abort());
  await assert.rejects(check, { name: 'AbortError' });
});
