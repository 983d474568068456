import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { startKmsServer } from './kms-server.ts';
import { readPlace, scratchFolder, sealScan } from './sealed-stage.ts';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const OTHER = 'arn:aws:kms:eu-central-1:111122223333:key/abcd1234-12ab-34cd-56ef-1234567890ab';

const server = await startKmsServer([ARN, OTHER]);
after(() => server.close());
// Where the AWS SDK looks for an endpoint and for credentials.
process.env['AWS_ENDPOINT_URL_KMS'] = server.url;
process.env['AWS_ACCESS_KEY_ID'] = 'test';
process.env['AWS_SECRET_ACCESS_KEY'] = 'test';

const keyFile = join(await scratchFolder(), 'object-keys.json');
const keyring = await openKeyring({ keyFile, kmsKey: ARN, recoveryKey: undefined });
const scan = randomBytes(1_000);
const { sealed, place } = await sealScan(keyring, scan);

test('a key of KMS wraps and unwraps, with the id of the object key in the context, and makes no key file', async () => {
  assert.deepEqual((await readPlace(keyring, place, sealed)).plain, scan);
  assert.deepEqual(server.calls, ['GenerateDataKey', 'Decrypt']);
  assert.equal(place.objectKey!.keyId, ARN);
  assert.deepEqual(await keyring.keyIds(), { current: ARN, held: [ARN] });
  assert.equal(keyring.isNew, false);
});

test('a service that is down, or lets nobody use the key, is told apart from a key that does not fit', async () => {
  server.fail({ status: 500, type: 'KMSInternalException' });
  assert.equal((await readPlace(keyring, place, sealed)).code, 'KEY_UNAVAILABLE');
  await assert.rejects(sealScan(keyring, scan), { code: 'KEY_UNAVAILABLE' });
  for (const type of [
    'ThrottlingException',
    'AccessDeniedException',
    'DisabledException',
    'UnrecognizedClientException',
  ]) {
    server.fail({ status: 400, type });
    assert.equal((await readPlace(keyring, place, sealed)).code, 'KEY_UNAVAILABLE', type);
  }
  for (const type of ['IncorrectKeyException', 'InvalidCiphertextException']) {
    server.fail({ status: 400, type });
    assert.equal((await readPlace(keyring, place, sealed)).code, 'KEY_WRONG', type);
  }
  server.fail(undefined);
  assert.deepEqual((await readPlace(keyring, place, sealed)).plain, scan);
});

test('nobody listens at the address of the service: KEY_UNAVAILABLE', async () => {
  const gone = await startKmsServer([ARN]);
  await gone.close();
  process.env['AWS_ENDPOINT_URL_KMS'] = gone.url;
  const lonely = await openKeyring({ keyFile, kmsKey: ARN, recoveryKey: undefined });
  await assert.rejects(lonely.unwrap(place.objectKey!), { code: 'KEY_UNAVAILABLE' });
  process.env['AWS_ENDPOINT_URL_KMS'] = server.url;
});

test('keys of a key file still unwrap beside a key of KMS, and another key of KMS does not', async () => {
  const local = join(await scratchFolder(), 'object-keys.json');
  const before = await openKeyring({ keyFile: local, kmsKey: undefined, recoveryKey: undefined });
  const old = await sealScan(before, scan);
  const now = await openKeyring({ keyFile: local, kmsKey: OTHER, recoveryKey: undefined });
  assert.deepEqual((await readPlace(now, old.place, old.sealed)).plain, scan);
  assert.equal((await sealScan(now, scan)).place.objectKey!.keyId, OTHER);
  assert.equal((await readPlace(now, place, sealed)).code, 'KEY_WRONG');
});

test('an alias is refused, because data keys cannot be decrypted by it later', async () => {
  const kmsKey = 'arn:aws:kms:eu-central-1:111122223333:alias/docket';
  await assert.rejects(openKeyring({ keyFile, kmsKey, recoveryKey: undefined }), { code: 'CONFIG_INVALID' });
});

test('an object that was encrypted elsewhere for the key of KMS opens, signed or not', async () => {
  const { buildClient, CommitmentPolicy, KmsKeyringNode, MultiKeyringNode } =
    await import('@aws-crypto/client-node');
  const kms: InstanceType<typeof KmsKeyringNode> = new KmsKeyringNode({ generatorKeyId: ARN });
  const { encrypt } = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);
  const { result } = await encrypt(new MultiKeyringNode({ generator: kms }), scan, {
    encryptionContext: { app: 'tms' },
  });
  const external = { ...place, encryption: 'external', objectKey: null } as const;
  assert.deepEqual((await readPlace(keyring, external, result)).plain, scan);
  assert.equal((await readPlace(keyring, external, result.subarray(0, -1))).code, 'OBJECT_DAMAGED');
  const altered = Buffer.from(result);
  altered[altered.length - 3]! ^= 1;
  assert.equal((await readPlace(keyring, external, altered)).code, 'OBJECT_DAMAGED');
  assert.equal((await readPlace(keyring, external, place.objectKey!.wrapped)).code, 'OBJECT_SWAPPED');
  assert.equal((await readPlace(keyring, external, scan)).code, 'OBJECT_DAMAGED');
});
