import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { test } from 'node:test';
import { FlattenedSign, type JWSHeaderParameters } from 'jose';
import { checkEnvelope } from '../../src/evidence/check-envelope.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { contentOf } from './content-of.ts';
import { AUTHORITY, OpensslAuthority, SIGNER, type Issue } from './openssl-authority.ts';
import { inShort } from './signed-corpus.ts';
import { trustOf } from './trust-of.ts';

const DOCUMENT = Buffer.from('Received in good order: 12 pallets.');
const WHOLE = 'valid, intact, digest matches, whole_document';
const { root, office, signer } = issueChain();
const other = issueChain();

/** A root, an authority below it, and a signer below that; certificates are Base64 as `x5c` has it. */
function issueChain() {
  const pki = new OpensslAuthority();
  const issue = (name: string, given: Issue) => {
    const pem = pki.issue(name, given);
    const key = createPrivateKey(pki.bytes(`${name}.key`));
    return { pem, base64: pki.certificate(name).toString('base64'), key };
  };
  return {
    root: issue('root', { extensions: AUTHORITY }),
    office: issue('office', { extensions: AUTHORITY, issuer: 'root' }),
    signer: issue('signer', { extensions: SIGNER, issuer: 'office' }),
  };
}

function thumbprint(certificate: { readonly base64: string }, digest = 'sha256'): string {
  return createHash(digest).update(Buffer.from(certificate.base64, 'base64')).digest('base64url');
}

/** Signs with the key of the signer; `open` are the headers that anybody on the way can change. */
async function jws(header: JWSHeaderParameters, open: JWSHeaderParameters = {}): Promise<object> {
  const signing = new FlattenedSign(DOCUMENT).setProtectedHeader({ alg: 'ES256', ...header });
  const whole = await (Object.keys(open).length > 0 ? signing.setUnprotectedHeader(open) : signing).sign(
    signer.key,
  );
  return { protected: whole.protected, header: whole.header, signature: whole.signature };
}

async function check(envelope: object, anchors: Parameters<typeof trustOf>[0]): Promise<SignatureReport> {
  const [report] = await checkEnvelope(
    Buffer.from(JSON.stringify(envelope)),
    contentOf(DOCUMENT),
    trustOf(anchors, { judgedAt: new Date() }),
    new AbortController().signal,
  );
  return report!;
}

const chain = { x5c: [signer.base64, office.base64] };

test('a certificate that leads to a trusted root by its chain is a valid signer', async () => {
  const report = await check(await jws(chain), [other.root.pem, root.pem]);
  assert.equal(inShort(report), WHOLE);
  assert.equal(report.anchorId, 2);
  assert.equal(report.signer, 'CN=signer,O=Depot');
  assert.equal(report.signerSha256, Buffer.from(thumbprint(signer), 'base64url').toString('hex'));
});

test('without its chain it leads nowhere, unless the authority itself is trusted', async () => {
  const stripped = await jws({ x5c: [signer.base64] });
  const report = await check(stripped, [root.pem]);
  assert.equal(inShort(report), 'unknown_signer, intact, digest matches, whole_document');
  assert.equal(report.signer, 'CN=signer,O=Depot');
  assert.equal((await check(stripped, [office.pem])).status, 'valid');
});

test('without any certificate it is valid only where the certificate or key of the signer is trusted', async () => {
  const bare = await jws({});
  assert.equal((await check(bare, [signer.pem])).status, 'valid');
  assert.equal((await check(bare, [createPublicKey(signer.pem)])).status, 'valid');
  // Authorities sign no documents: that their keys do not fit says nothing.
  const report = await check(bare, [root.pem, office.pem]);
  assert.equal(inShort(report), 'unknown_signer, intact unknown, digest unknown, no coverage');
});

test('a certificate that was swapped for another of the same names breaks the signature', async () => {
  const swapped = { x5c: [other.signer.base64, other.office.base64] };
  const whole = (await jws(chain)) as { protected: string; signature: string };
  const header = JSON.parse(Buffer.from(whole.protected, 'base64url').toString()) as object;
  const altered = Buffer.from(JSON.stringify({ ...header, ...swapped })).toString('base64url');
  const report = await check({ ...whole, protected: altered }, [root.pem, other.root.pem]);
  assert.equal(inShort(report), 'invalid, not intact, digest unknown, no coverage');
  assert.deepEqual(report.findings, ['SIGNATURE_BROKEN']);
});

test('a certificate beside the signature that is not the one which the signer named is refused', async () => {
  const substituted = await jws({ 'x5t#S256': thumbprint(other.signer) }, chain);
  const report = await check(substituted, [root.pem]);
  assert.equal(report.status, 'invalid');
  assert.deepEqual(report.findings, ['CERTIFICATE_SUBSTITUTED']);
  for (const name of [
    { 'x5t#S256': thumbprint(signer) },
    { 'x5t#o': { digAlg: 'S512', digVal: thumbprint(signer, 'sha512') }, crit: ['x5t#o'] },
  ]) {
    assert.equal(inShort(await check(named(name), [root.pem])), WHOLE);
  }
  const byOther = { 'x5t#o': { digAlg: 'S512', digVal: thumbprint(other.signer, 'sha512') } };
  assert.equal((await check(named(byOther), [root.pem])).status, 'invalid');
});

/** Signs by the rules of JWS alone: jose does not understand the headers of JAdES. */
function named(header: object): object {
  const start = Buffer.from(JSON.stringify({ alg: 'ES256', ...chain, ...header })).toString('base64url');
  const input = Buffer.from(`${start}.${DOCUMENT.toString('base64url')}`);
  const signature = sign('sha256', input, { key: signer.key, dsaEncoding: 'ieee-p1363' });
  return { protected: start, signature: signature.toString('base64url') };
}

test('a key that lies is passed over where a trusted key fits', async () => {
  const lying = await jws({}, { jwk: createPublicKey(other.signer.pem).export({ format: 'jwk' }) });
  const report = await check(lying, [signer.pem]);
  assert.equal(inShort(report), WHOLE);
  assert.equal(report.signer, 'CN=signer,O=Depot');
});
