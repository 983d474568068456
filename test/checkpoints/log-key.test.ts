import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { LogKey } from '../../src/checkpoints/log-key.ts';
import { makeLogKey, readLogKey, replaceLogKey } from '../../src/checkpoints/log-key.ts';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'dkt-log-key-'));
after(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

async function signs(key: LogKey): Promise<boolean> {
  const bytes = Buffer.from('checkpoint');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey.toString('base64url') };
  return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), await key.sign(bytes));
}

test('a key is made once, for its owner alone, and what it signs is Ed25519', async () => {
  const file = at('made/log-key.pem');
  assert.equal(await readLogKey(file), undefined);
  assert.deepEqual([await makeLogKey(file), await makeLogKey(file)], [true, false]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok(await signs((await readLogKey(file))!));
});

test('a key that was made by openssl is taken, and its public half is what openssl says', async () => {
  const file = at('openssl.pem');
  await run('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', file]);
  await chmod(file, 0o600);
  const key = (await readLogKey(file))!;
  const { stdout } = await run('openssl', ['pkey', '-in', file, '-pubout', '-outform', 'DER'], {
    encoding: 'buffer',
  });
  assert.deepEqual(key.publicKey, stdout.subarray(-32));
  assert.ok(await signs(key));
});

test('a running signer notices another key; one elsewhere makes none', async () => {
  const place = { logKeyFile: at('rotated.pem') };
  assert.equal(await openCheckpointSigner(place, { mayMake: false }), undefined);
  const signer = (await openCheckpointSigner(place, { mayMake: true }))!;
  assert.equal(signer.isNew, true);
  const before = (await signer.current()).publicKey;
  const { publicKey } = await replaceLogKey(place.logKeyFile);
  assert.notDeepEqual(publicKey, before);
  assert.deepEqual((await signer.current()).publicKey, publicKey);
  assert.equal((await openCheckpointSigner(place, { mayMake: true }))!.isNew, false);
});

test('a file that others may read, or that holds no such key, is refused by name and not replaced', async () => {
  const file = at('open.pem');
  await makeLogKey(file);
  await chmod(file, 0o644);
  await assert.rejects(readLogKey(file), { code: 'CONFIG_LOG_KEY', message: /may read/ });
  await chmod(file, 0o600);
  await run('openssl', ['genpkey', '-algorithm', 'x25519', '-out', file]);
  const before = await readFile(file);
  for (const act of [readLogKey, replaceLogKey])
    await assert.rejects(act(file), { code: 'CONFIG_LOG_KEY', message: /Ed25519/ });
  assert.deepEqual(await readFile(file), before);
  await writeFile(file, 'no key');
  await assert.rejects(readLogKey(file), { code: 'CONFIG_LOG_KEY' });
});
