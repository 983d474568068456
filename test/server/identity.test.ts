import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import type { CryptoKey } from 'jose';
import { exportPKCS8, exportSPKI, importJWK } from 'jose';
import { createBearerCheck } from '../../src/server/bearer.ts';
import { settingsOf } from '../../src/server/claims.ts';
import { verifyToken } from '../../src/server/identity.ts';
import { keysOf, loadTokenKeys } from '../../src/server/token-keys.ts';
import type { Issuer } from './bearer-tokens.ts';
import { createIssuer } from './bearer-tokens.ts';

const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'alice' };
const OPTIONS = { audience: 'docket' };
const INVALID = { code: 'TOKEN_INVALID', message: 'the token is missing, expired or not valid' };

let ed: Issuer;
let rsa: Issuer;
let folder: string;

before(async () => {
  [ed, rsa] = [await createIssuer('EdDSA'), await createIssuer('RS256')];
  folder = await mkdtemp(join(tmpdir(), 'docket-keys-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function keyFile(content: string): Promise<{ tokenKeys: string }> {
  const file = join(folder, `${Math.random()}`);
  await writeFile(file, content);
  return { tokenKeys: file };
}

test('a token says who bears it, whether it is signed with Ed25519 or with RSA', async () => {
  for (const issuer of [ed, rsa]) {
    const identity = await verifyToken(
      await issuer.token(ANALYST, { exp: 4_102_444_800 }),
      keysOf([issuer.publicJwk]),
      OPTIONS,
    );
    assert.deepEqual(
      { ...identity, sources: [...identity.sources] },
      {
        subject: 'alice',
        role: 'analyst',
        sources: ['carrier-a'],
        expiresAt: new Date('2100-01-01T00:00:00Z'),
      },
    );
  }
});

test('where an issuer is expected, a token of another one, or of none, is refused', async () => {
  const keys = keysOf([ed.publicJwk]);
  const options = { audience: 'docket', issuer: 'https://login.example' };
  const { subject } = await verifyToken(await ed.token(ANALYST, { iss: options.issuer }), keys, options);
  assert.equal(subject, 'alice');
  await assert.rejects(
    verifyToken(await ed.token(ANALYST, { iss: 'https://evil.example' }), keys, options),
    INVALID,
  );
  await assert.rejects(verifyToken(await ed.token(ANALYST), keys, options), INVALID);
});

test('a name with characters that cannot be printed, or with nothing else than blanks, is no name', async () => {
  for (const subject of ['alice\n2026-01-01 auditor', ' ', '\u3000 ']) {
    const token = await ed.token({ ...ANALYST, subject });
    await assert.rejects(verifyToken(token, keysOf([ed.publicJwk]), OPTIONS), INVALID);
  }
});

test('keys are read from a PEM file, a JWK, and a set of them in which a token finds its own', async () => {
  const pemOf = async (issuer: Issuer, alg: string) =>
    exportSPKI((await importJWK(issuer.publicJwk, alg, { extractable: true })) as CryptoKey);
  const set = JSON.stringify({
    keys: [
      { ...rsa.publicJwk, alg: 'RS256' },
      { ...ed.publicJwk, alg: 'EdDSA' },
    ],
  });
  const places: [Issuer, string][] = [
    [ed, await pemOf(ed, 'EdDSA')],
    [rsa, await pemOf(rsa, 'RS256')],
    [ed, JSON.stringify(ed.publicJwk)],
    [ed, set],
    [rsa, set],
  ];
  for (const [issuer, content] of places) {
    const keys = await loadTokenKeys(await keyFile(content));
    const { subject } = await verifyToken(await issuer.token(ANALYST), keys!, OPTIONS);
    assert.equal(subject, 'alice', content.slice(0, 40));
  }
  assert.equal(await loadTokenKeys({ tokenKeys: undefined }), undefined);
});

test('a file without a public key, or with a secret one, is refused by name and not repeated', async () => {
  const secret = await exportPKCS8(ed.privateKey);
  const shared = JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' });
  for (const content of [
    secret,
    shared,
    'hello',
    '{}',
    '{"keys":[]}',
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
  ]) {
    await assert.rejects(keyFile(content).then(loadTokenKeys), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'CONFIG_INVALID');
      assert.match(error.message, /^DOCKET_TOKEN_KEYS: /);
      assert.doesNotMatch(error.message, /c2VjcmV0|AAAA/);
      return true;
    });
  }
  await assert.rejects(loadTokenKeys({ tokenKeys: join(folder, 'absent') }), { code: 'CONFIG_INVALID' });
});

test('a token that was found good is not believed after it expired, and is checked anew after a minute', async () => {
  const start = Date.now();
  mock.timers.enable({ apis: ['Date'], now: start });
  try {
    let checks = 0;
    const inner = keysOf([ed.publicJwk]);
    const bearers = createBearerCheck((...asked) => {
      checks += 1;
      return inner(...asked);
    }, OPTIONS);
    const seconds = Math.floor(start / 1000);
    const short = `Bearer ${await ed.token(ANALYST, { exp: seconds + 30 })}`;
    const long = `Bearer ${await ed.token(ANALYST, { exp: seconds + 3600 })}`;
    for (const token of [short, long, short, long]) await bearers.identify(token);
    assert.equal(checks, 2, 'each was checked once');
    mock.timers.setTime(start + 31_000);
    await assert.rejects(bearers.identify(short), INVALID);
    assert.equal((await bearers.identify(long)).subject, 'alice');
    const before = checks;
    mock.timers.setTime(start + 61_000);
    await bearers.identify(long);
    assert.equal(checks, before + 1);
  } finally {
    mock.timers.reset();
  }
});

test('only a header that says Bearer, and one token, is looked at', async () => {
  const bearers = createBearerCheck(keysOf([ed.publicJwk]), OPTIONS);
  const token = await ed.token(ANALYST);
  assert.equal((await bearers.identify(`bearer ${token}`)).subject, 'alice');
  for (const header of [
    undefined,
    '',
    token,
    `Basic ${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token},`,
    'Bearer ',
  ]) {
    await assert.rejects(bearers.identify(header), INVALID, header ?? 'none');
  }
});

test('the database is told the role and the claims, and nothing that a token could smuggle in beside them', async () => {
  const token = await ed.token(
    { role: 'auditor', sources: ["a', role: 'x"], subject: '","role":"docket_owner' },
    { pgSettings: { role: 'postgres' } },
  );
  const settings = settingsOf(await verifyToken(token, keysOf([ed.publicJwk]), OPTIONS), { readOnly: true });
  assert.deepEqual(Object.keys(settings).sort(), ['docket.claims', 'role', 'transaction_read_only']);
  assert.equal(settings['role'], 'docket_auditor');
  assert.deepEqual(JSON.parse(settings['docket.claims']!), {
    sub: '","role":"docket_owner',
    role: 'auditor',
    sources: ["a', role: 'x"],
  });
});
