import assert from 'node:assert/strict';
import { createPrivateKey, verify } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TokenClaims } from '../../src/server/local-key.ts';
import { openLocalKey } from '../../src/server/local-key.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-key-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const ANALYST: TokenClaims = {
  subject: 'ada',
  role: 'analyst',
  sources: ['carrier-a'],
  hours: 8,
  audience: 'docket',
};

/** The parts of a token, read without the library that made it. */
function parts(token: string) {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
  return {
    header: read(header),
    claims: read(claims) as Record<string, unknown>,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

test('the key is made once, readable by its owner alone, and stays', async () => {
  const dataDir = join(folder, 'first/use');
  const made = await openLocalKey(dataDir);
  const opened = await openLocalKey(dataDir);
  assert.deepEqual(opened.publicJwk, made.publicJwk);
  assert.equal((await stat(join(dataDir, 'token-key.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['token-key.json']);
  assert.equal('d' in made.publicJwk, false, 'what is given to servers can sign nothing');
});

test('processes that ask for the first key at once get the same one', async () => {
  const dataDir = join(folder, 'race');
  const keys = await Promise.all(Array.from({ length: 8 }, () => openLocalKey(dataDir)));
  assert.equal(new Set(keys.map((key) => key.publicJwk.x)).size, 1);
  assert.deepEqual(await readdir(dataDir), ['token-key.json']);
});

test('a token says who, as what, for which sources and until when, and bears a good Ed25519 signature', async () => {
  const key = await openLocalKey(join(folder, 'sign'));
  const begun = Math.floor(Date.now() / 1000);
  const { token, expiresAt } = await key.sign({ ...ANALYST, issuer: 'here' });
  const { header, claims, signed, signature } = parts(token);
  assert.deepEqual(header, { alg: 'EdDSA', kid: key.publicJwk.kid });
  const { iat, exp, ...said } = claims;
  assert.deepEqual(said, { sub: 'ada', role: 'analyst', sources: ['carrier-a'], aud: 'docket', iss: 'here' });
  assert.ok(Number(iat) >= begun && Number(iat) <= begun + 60);
  assert.equal(Number(exp) - Number(iat), 8 * 3600);
  assert.equal(expiresAt.getTime(), Number(exp) * 1000);

  const jwk = JSON.parse(await readFile(key.file, 'utf8')) as Record<string, string>;
  const secret = createPrivateKey({ key: jwk, format: 'jwk' });
  assert.equal(verify(null, signed, secret, signature), true);
  assert.equal(verify(null, Buffer.from(`${signed.toString()}x`), secret, signature), false);
});

test('without an issuer a token names none', async () => {
  const key = await openLocalKey(join(folder, 'sign'));
  assert.equal('iss' in parts((await key.sign(ANALYST)).token).claims, false);
});

test('a key that others may read is refused, and so is a file that is no key', async () => {
  const dataDir = join(folder, 'exposed');
  const { file } = await openLocalKey(dataDir);
  await chmod(file, 0o640);
  await assert.rejects(openLocalKey(dataDir), { code: 'CONFIG_TOKEN_KEY', message: /others than its owner/ });
  await chmod(file, 0o600);
  for (const text of ['', 'null', '{}', '{"kty":"OKP","crv":"X25519","x":"AA","d":"AA","kid":"k"}']) {
    await writeFile(file, text);
    await assert.rejects(openLocalKey(dataDir), { code: 'CONFIG_TOKEN_KEY', message: /is not a key/ });
  }
});

test('where no key can be made, it is the folder that is named', async () => {
  const dataDir = join(folder, 'a file');
  await writeFile(dataDir, '');
  await assert.rejects(openLocalKey(dataDir), {
    code: 'CONFIG_TOKEN_KEY',
    message: /neither read nor made.*a file/,
  });
});
