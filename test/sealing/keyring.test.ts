import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { addKey, backUpKeyFile } from '../../src/sealing/key-file.ts';
import { unwrapByRecoveryKey } from '../../src/sealing/key-wrapping.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { readPrivateRecoveryKey } from '../../src/sealing/recovery-key.ts';
import { readPlace, scratchFolder, sealScan } from './sealed-stage.ts';

const scan = randomBytes(1_000);

async function scratchConfig(recoveryKey?: string) {
  return { keyFile: join(await scratchFolder(), 'deep', 'object-keys.json'), kmsKey: undefined, recoveryKey };
}

test('processes that ask for the first key at once get the same one, in a file of 0600', async () => {
  const config = await scratchConfig();
  const keyrings = await Promise.all(Array.from({ length: 8 }, () => openKeyring(config)));
  const ids = await Promise.all(keyrings.map((keyring) => keyring.keyIds()));
  assert.equal(new Set(ids.map(({ current }) => current)).size, 1);
  assert.equal(keyrings.filter((keyring) => keyring.isNew).length, 1);
  assert.equal((await stat(config.keyFile)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dirname(config.keyFile)), ['object-keys.json']);
});

test('a key file that others may read is refused, and so is one that is not whole', async () => {
  const config = await scratchConfig();
  await openKeyring(config);
  await chmod(config.keyFile, 0o640);
  await assert.rejects(openKeyring(config), { code: 'CONFIG_KEY_FILE' });
  await chmod(config.keyFile, 0o600);
  const text = await readFile(config.keyFile, 'utf8');
  for (const broken of [
    '',
    '{}',
    text.slice(0, -10),
    text.replace(/"current": "[^"]*"/, '"current": "file-0000000000000000"'),
  ]) {
    await writeFile(config.keyFile, broken);
    await assert.rejects(openKeyring(config), { code: 'CONFIG_KEY_FILE' }, broken);
  }
});

test('after a rotation a running process wraps by the new key and unwraps by both', async () => {
  const config = await scratchConfig();
  const [running, other] = [await openKeyring(config), await openKeyring(config)];
  const before = await sealScan(running, scan);
  const { id } = await addKey(config.keyFile);
  const after = await sealScan(running, scan);
  assert.notEqual(before.place.objectKey!.keyId, id);
  assert.equal(after.place.objectKey!.keyId, id);
  for (const { place, sealed } of [before, after]) {
    assert.deepEqual((await readPlace(other, place, sealed)).plain, scan);
  }
});

test('two rotations at once leave a key file with both keys, or refuse the second', async () => {
  const config = await scratchConfig();
  const keyring = await openKeyring(config);
  const ended = await Promise.allSettled([addKey(config.keyFile), addKey(config.keyFile)]);
  const made = ended.filter((end) => end.status === 'fulfilled').map((end) => end.value.id);
  const { held } = await keyring.keyIds();
  assert.ok(made.length > 0 && made.every((id) => held.includes(id)));
  assert.equal(held.length, made.length + 1);
});

test('a key file that vanishes does not stop a running process', async () => {
  const config = await scratchConfig();
  const keyring = await openKeyring(config);
  const { place, sealed } = await sealScan(keyring, scan);
  await rm(config.keyFile);
  assert.deepEqual((await readPlace(keyring, place, sealed)).plain, scan);
});

test('a backup is 0600, opens what was sealed, and never takes the place of a file', async () => {
  const config = await scratchConfig();
  const { place, sealed } = await sealScan(await openKeyring(config), scan);
  const copy = join(await scratchFolder(), 'copy.json');
  assert.deepEqual(await backUpKeyFile(config.keyFile, copy), [place.objectKey!.keyId]);
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  await assert.rejects(backUpKeyFile(config.keyFile, copy), { code: 'FILE_EXISTS' });
  const restored = await openKeyring({ ...config, keyFile: copy });
  assert.deepEqual((await readPlace(restored, place, sealed)).plain, scan);
});

test('a backup needs a folder that is there, and a key file that is whole', async () => {
  const config = await scratchConfig();
  await openKeyring(config);
  const folder = await scratchFolder();
  const unmounted = join(folder, 'usb', 'copy.json');
  await assert.rejects(backUpKeyFile(config.keyFile, unmounted), { code: 'FILE_UNWRITABLE' });
  await assert.rejects(backUpKeyFile(config.keyFile, join(config.keyFile, 'copy.json')), {
    code: 'FILE_UNWRITABLE',
  });
  await writeFile(config.keyFile, '{}');
  await assert.rejects(backUpKeyFile(config.keyFile, join(folder, 'copy.json')), {
    code: 'CONFIG_KEY_FILE',
    message: `${config.keyFile} is not a key file`,
  });
  assert.deepEqual(await readdir(folder), []);
});

test('the recovery key unwraps when the key file is lost, with its private half alone', async () => {
  const folder = await scratchFolder();
  const [privateFile, publicFile] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
  // as docs/keys.md tells to make them
  const openssl = promisify(execFile);
  await openssl('openssl', [
    'genpkey',
    '-algorithm',
    'RSA',
    '-pkeyopt',
    'rsa_keygen_bits:2048',
    '-out',
    privateFile,
  ]);
  await openssl('openssl', ['pkey', '-in', privateFile, '-pubout', '-out', publicFile]);
  const keyring = await openKeyring(await scratchConfig(publicFile));
  const { place, key } = await sealScan(keyring, scan);
  const { id, wrapped } = place.objectKey!;
  const recovery = await readPrivateRecoveryKey(privateFile);
  assert.deepEqual(await unwrapByRecoveryKey(recovery, { id, wrapped }), key);

  const stranger = join(folder, 'stranger.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(stranger, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const wrong = await readPrivateRecoveryKey(stranger);
  await assert.rejects(unwrapByRecoveryKey(wrong, { id, wrapped }), { code: 'KEY_WRONG' });
  await assert.rejects(unwrapByRecoveryKey(recovery, { id: 'another', wrapped }), { code: 'KEY_WRONG' });
});

test('a recovery key that is private, short, of another kind or absent is refused at the start', async () => {
  const folder = await scratchFolder();
  const pem = (name: string, text: string) =>
    writeFile(join(folder, name), text).then(() => join(folder, name));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const files = [
    await pem('private', String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))),
    await pem('short', String(short.publicKey.export({ type: 'spki', format: 'pem' }))),
    await pem('curve', String(curve.publicKey.export({ type: 'spki', format: 'pem' }))),
    await pem('text', 'no key'),
    join(folder, 'absent'),
  ];
  for (const file of files) {
    await assert.rejects(openKeyring(await scratchConfig(file)), { code: 'CONFIG_RECOVERY_KEY' }, file);
  }
});
