import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { corpusScans } from '../../../src/cli/demo/corpus-scans.ts';
import type { DemoScan } from '../../../src/cli/demo/demo-scan.ts';
import type { DemoDelivery } from '../../../src/cli/demo/sign-scans.ts';
import { signScans } from '../../../src/cli/demo/sign-scans.ts';

let folder = '';
let signed: DemoDelivery;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docket-signed-'));
  signed = await signScans(corpusScans(), folder);
});
after(() => rm(folder, { recursive: true, force: true }));

/** By Node's crypto alone: ES256 of RFC 7518 is ECDSA over header, dot, payload, with r and s side by side. */
async function holds(scan: DemoScan): Promise<boolean> {
  const [header = '', , signature = ''] = String(scan.envelope).split('.');
  const input = `${header}.${(await readFile(scan.path)).toString('base64url')}`;
  const key = createPublicKey(signed.anchors[0]!.pem);
  return verify(
    'sha256',
    Buffer.from(input),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

test('the envelopes of three scans fit them by the key of their source, and no other does', async () => {
  const envelopes = signed.scans.filter((scan) => scan.envelope !== undefined);
  const good: string[] = [];
  for (const scan of envelopes) if (await holds(scan)) good.push(scan.file);
  assert.equal(envelopes.length, 5);
  assert.deepEqual(good, ['01-bill-of-lading.png', '08-exception-sheet.jpg', '13-shipment-file.pdf']);
  const sources = new Set(
    signed.scans.filter((scan) => good.includes(scan.file)).map((scan) => scan.sourceId),
  );
  assert.deepEqual([...sources], [signed.anchors[0]?.sourceId]);
});

test('the altered scan has the signature of the one that it was, other bytes, and the same picture', async () => {
  const altered = signed.scans.at(-1);
  const original = signed.scans.find((scan) => scan.file === '08-exception-sheet.jpg');
  assert.equal(altered?.file, '20-altered-after-signing.jpg');
  assert.deepEqual(altered.expected, { state: 'quarantined', code: 'SIGNATURE_INVALID' });
  assert.deepEqual(altered.envelope, original?.envelope);
  const [before, now] = await Promise.all([readFile(original!.path), readFile(altered.path)]);
  const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  assert.notEqual(sha256(now), sha256(before));
  assert.equal(now.indexOf('altered'), 6, 'in a comment right behind the start of the image');
  assert.deepEqual(now.subarray(13), before.subarray(2));
});
