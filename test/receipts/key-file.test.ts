import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { addReceiptKey, makeReceiptKeys, readReceiptKeys } from '../../src/receipts/key-file.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';

const folder = await mkdtemp(join(tmpdir(), 'dkt-receipts-'));
after(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => ({ receiptKeyFile: join(folder, name) });

test('a key file is made once, for its owner alone, and what it signs is Ed25519', async () => {
  const { receiptKeyFile: file } = at('made/keys.json');
  assert.equal(await readReceiptKeys(file), undefined);
  assert.deepEqual([await makeReceiptKeys(file), await makeReceiptKeys(file)], [true, false]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const { current } = (await readReceiptKeys(file))!;
  const { kty, crv, x } = current.publicJwk;
  assert.equal(current.kid, await calculateJwkThumbprint({ kty, crv, x }));
  assert.ok(!('d' in current.publicJwk));
  const bytes = Buffer.from('receipt');
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  assert.ok(verify(null, bytes, publicKey, current.sign(bytes)));
});

test('a worker elsewhere makes no key of its own, but uses one that is there', async () => {
  const place = at('elsewhere.json');
  assert.equal(await openReceiptSigner(place, { mayMake: false }), undefined);
  const made = (await openReceiptSigner(place, { mayMake: true }))!;
  assert.equal(made.isNew, true);
  const used = (await openReceiptSigner(place, { mayMake: false }))!;
  assert.equal(used.isNew, false);
  assert.equal((await used.current()).kid, (await made.current()).kid);
});

test('a running signer notices a new key, and outlives a file that vanished', async () => {
  const place = at('rotated.json');
  const signer = (await openReceiptSigner(place, { mayMake: true }))!;
  const before = (await signer.current()).kid;
  const { kid } = await addReceiptKey(place.receiptKeyFile);
  assert.notEqual(kid, before);
  assert.equal((await signer.current()).kid, kid);
  const { keys } = (await readReceiptKeys(place.receiptKeyFile))!;
  assert.deepEqual(
    keys.map((key) => key.kid),
    [before, kid],
  );
  await rm(place.receiptKeyFile);
  assert.equal((await signer.current()).kid, kid);
});

test('a file that others may read, or that is none of ours, is refused by name', async () => {
  const { receiptKeyFile: file } = at('open.json');
  await makeReceiptKeys(file);
  const good = await readFile(file, 'utf8');
  await chmod(file, 0o640);
  await assert.rejects(readReceiptKeys(file), { code: 'CONFIG_RECEIPT_KEY', message: /may read/ });
  await chmod(file, 0o600);
  for (const wrong of [
    '',
    '{}',
    good.replace(/"kid": "./, '"kid": "_'),
    good.replace(/"current": "./, '"current": "_'),
  ]) {
    await writeFile(file, wrong);
    await assert.rejects(readReceiptKeys(file), {
      code: 'CONFIG_RECEIPT_KEY',
      message: /not a file of keys/,
    });
  }
});
