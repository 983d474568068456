import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lostKeyFindings, recoveryKeyFindings } from '../../../src/cli/doctor/object-keys.ts';
import * as commands from '../../../src/db/commands.ts';
import { openKeyring } from '../../../src/sealing/keyring.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createLogin, createSender } from '../../support/logins.ts';
import { randomHash } from '../../sql/stage.ts';

const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'));
after(() => rm(folder, { recursive: true, force: true }));
const db = await createTestDatabase();
const sender = await createSender(db, 'carrier-a');
const operator = (await createLogin(db, 'docket_operator')).pool;
const recoveryKey = join(folder, 'recovery-public.pem');
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
await writeFile(recoveryKey, publicKey.export({ type: 'spki', format: 'pem' }));

/** Records scans as sealed by the key file of a name, with a recovery key or without. */
async function seal(name: string, count: number, recovery: string | undefined): Promise<string> {
  const keyring = await openKeyring({
    keyFile: join(folder, name),
    kmsKey: undefined,
    recoveryKey: recovery,
  });
  for (let at = 0; at < count; at += 1) {
    const objectKeyId = randomUUID();
    const { keyId, wrapped } = await keyring.wrap(objectKeyId, randomBytes(32));
    await commands.recordObject(sender.pool, {
      objectKeyId,
      sourceId: 'carrier-a',
      locator: `file:carrier-a/${randomUUID()}`,
      version: null,
      sha256: randomHash(),
      sizeBytes: '100',
      sealedSha256: randomHash(),
      sealedSizeBytes: '1000',
      keyId,
      wrappedKey: wrapped,
    });
  }
  const { current } = await keyring.keyIds();
  keyring.close();
  return current;
}

test('scans whose keys are not at hand are told with the key and how many there are', async () => {
  await seal('ours.json', 2, undefined);
  const lost = await seal('lost.json', 3, recoveryKey);
  const look = (name: string) =>
    lostKeyFindings(operator, { keyFile: join(folder, name), kmsKey: undefined });
  const [finding, ...others] = await look('ours.json');
  assert.deepEqual(others, []);
  assert.equal(finding!.severity, 'problem');
  assert.equal(finding!.what, `keys that seal scans are not at hand: ${lost} (3 scans)`);
  // A host that has none may be none of those that read scans.
  const [elsewhere] = await look('none.json');
  assert.equal(elsewhere!.severity, 'warning');
  assert.match(elsewhere!.what, /\(2 scans\)/);
  assert.match(elsewhere!.what, /\(3 scans\)/);
});

test('scans that the recovery key does not open are counted, those sealed before it was named', async () => {
  const [finding, ...others] = await recoveryKeyFindings(operator, { recoveryKey });
  assert.deepEqual(others, []);
  assert.equal(finding!.severity, 'warning');
  assert.equal(finding!.what, 'of 5 scans that were looked at, 2 cannot be opened by the recovery key');
  assert.match(finding!.remedy!, /^docket key rewrap/);
});

test('no recovery key is a warning, and one that cannot be read fails its check', async () => {
  const found = await recoveryKeyFindings(operator, { recoveryKey: undefined });
  assert.deepEqual(
    found.map(({ severity, what }) => [severity, what]),
    [['warning', 'there is no recovery key']],
  );
  await assert.rejects(recoveryKeyFindings(operator, { recoveryKey: join(folder, 'no.pem') }), {
    code: 'CONFIG_RECOVERY_KEY',
  });
});
