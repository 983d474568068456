import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { requireRecoveryKey } from '../../src/cli/sealing-keys.ts';
import { loadConfig } from '../../src/config.ts';
import { CliHome } from './run-docket.ts';

/** The keys of sealed scans, from the first start to the day on which the key file is lost. */
let home: CliHome;
let [publicFile, privateFile] = ['', ''];
const scan = CliHome.corpus('12-weighbridge-ticket-phone.jpg');

before(async () => {
  home = await CliHome.make();
  [publicFile, privateFile] = [join(home.folder, 'public.pem'), join(home.folder, 'private.pem')];
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
});
after(() => home.remove());

interface Shown {
  key_file: string | null;
  recovery_key: string | null;
  keys: { id: string; is_current: boolean; is_at_hand: boolean; objects: number | null }[];
}

const keyFile = () => join(home.folder, 'data/object-keys.json');

test('the first start makes the key file and says that it is to be copied', async () => {
  assert.deepEqual((await home.json<Shown>(['key', 'show'])).keys, []);
  assert.equal((await home.docket(['migrate'])).code, 0);
  const submitted = await home.docket(['submit', scan]);
  assert.equal(submitted.code, 0, submitted.stderr);
  assert.match(
    submitted.stderr,
    /Made the key by which scans are sealed: .*object-keys\.json\n.*docket key backup FILE/,
  );
  assert.equal((await stat(keyFile())).mode & 0o777, 0o600);
  const { keys, recovery_key: recovery } = await home.json<Shown>(['key', 'show']);
  assert.deepEqual([keys.length, keys[0]!.objects, keys[0]!.is_current, recovery], [1, 1, true, null]);
  const text = await home.docket(['key', 'show']);
  assert.ok(
    !text.stdout.includes(
      (JSON.parse(await readFile(keyFile(), 'utf8')) as { keys: { key: string }[] }).keys[0]!.key,
    ),
  );
});

test('serving others than this machine needs a recovery key, or the word that there is none', async () => {
  const open = { DOCKET_HTTP_HOST: '0.0.0.0' };
  const { error } = await home.json<{ error: { code: string; hint: string } }>(['up'], 3, open);
  assert.equal(error.code, 'CONFIG_RECOVERY_KEY_MISSING');
  assert.match(error.hint, /DOCKET_WITHOUT_RECOVERY_KEY=on/);
  const config = { ...loadConfig({}), httpHost: '0.0.0.0' };
  requireRecoveryKey({ ...config, withoutRecoveryKey: true });
  requireRecoveryKey({ ...config, recoveryKey: publicFile });
  for (const httpHost of ['127.0.0.1', '127.8.8.8', '::1', 'localhost'])
    requireRecoveryKey({ ...config, httpHost });
  for (const httpHost of ['::', '10.0.0.1', '127.0.0.1.example.org']) {
    assert.throws(() => requireRecoveryKey({ ...config, httpHost }), { code: 'CONFIG_RECOVERY_KEY_MISSING' });
  }
});

test('a rotation, a backup and a rewrap leave one key in use', async () => {
  const { key } = await home.json<{ key: string }>(['key', 'rotate']);
  const copy = join(home.folder, 'copy.json');
  assert.equal((await home.json<{ keys: string[] }>(['key', 'backup', copy])).keys.length, 2);
  await home.json(['key', 'backup', copy], 6);
  const rewrapped = await home.json<{ key: string; rewrapped: number }>(['key', 'rewrap']);
  assert.deepEqual([rewrapped.key, rewrapped.rewrapped], [key, 1]);
  const { keys } = await home.json<Shown>(['key', 'show']);
  assert.deepEqual(keys.map((one) => one.objects).toSorted(), [0, 1]);
});

test('when the key file is lost, nothing starts as if nothing were, and the recovery key brings the scans back', async () => {
  const recovery = { DOCKET_RECOVERY_KEY: publicFile };
  const covered = await home.json<{ rewrapped: number }>(['key', 'rewrap'], 0, recovery);
  assert.equal(covered.rewrapped, 1);
  await rm(keyFile());
  const { error } = await home.json<{ error: { code: string } }>(['submit', scan], 3, recovery);
  assert.equal(error.code, 'CONFIG_KEY_MISSING');
  const refused = await home.json<{ error: { code: string } }>(['worker'], 3, recovery);
  assert.equal(refused.error.code, 'CONFIG_KEY_MISSING');
  const missing = (await home.json<Shown>(['key', 'show'])).keys.find((one) => !one.is_at_hand);
  assert.equal(missing?.objects, 1);

  const back = await home.json<{ rewrapped: number; failed: object }>(
    ['key', 'rewrap', '--recovery-key', privateFile],
    0,
    recovery,
  );
  assert.deepEqual([back.rewrapped, back.failed], [1, {}]);
  const running = await home.start(['worker'], recovery);
  const read = await home.json<{ documents: { state: string }[] }>(['submit', scan, '--wait'], 0, recovery);
  assert.equal(read.documents[0]!.state, 'published');
  assert.equal(await running.stop(), 0);
});
