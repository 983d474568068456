import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { before, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { PutFixture } from './put-fixture.ts';
import { answerOf, codeOf, digestOf, MIB, openPuts, SENDER } from './put-fixture.ts';
import { makeVault } from './sealed-vault.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
let puts: PutFixture;
before(async () => {
  puts = await openPuts(database);
});

for (const stated of [true, false]) {
  test(`a scan ${stated ? 'whose hash is stated' : 'of unknown hash'} is sealed, stored, recorded for its source, and known again`, async () => {
    const scan = Buffer.concat([Buffer.from('A SCAN IN THE CLEAR '), randomBytes(2 * MIB)]);
    const headers: Record<string, string> = stated ? { 'content-digest': digestOf(scan) } : {};
    const before = await puts.kept();
    const first = await puts.put(scan, headers);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.match(String(first.body['object']), /^file:carrier-a\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
    assert.deepEqual(
      { ...first.body, object: undefined },
      {
        object: undefined,
        version: null,
        sha256: createHash('sha256').update(scan).digest('hex'),
        size_bytes: scan.length,
      },
    );
    assert.deepEqual(await puts.kept(), [before[0] + 1, before[1] + 1, 0]);
    const name = String(first.body['object']).split('/').pop()!;
    const path = (await puts.vault.objects()).find((one) => one.endsWith(name))!;
    const sealed = await readFile(path);
    assert.equal(sealed.includes('A SCAN IN THE CLEAR'), false);
    assert.equal(createHash('sha256').update(sealed).digest('hex'), name, 'it is named by what lies there');
    const { rows } = await database
      .pool()
      .query('select source_id, size_bytes, sealed_by from docket.object_keys where locator = $1', [
        first.body['object'],
      ]);
    assert.deepEqual(rows, [
      { source_id: 'carrier-a', size_bytes: String(scan.length), sealed_by: 'token:scanner 7' },
    ]);

    const second = await puts.put(scan, headers);
    assert.equal(second.status, 200);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(await puts.kept(), [before[0] + 1, before[1] + 1, 0]);
  });
}

test('a scan may come without its size, and in the smallest pieces', async () => {
  const request = await puts.begin(SENDER);
  const answered = answerOf(request);
  for (let n = 0; n < 100; n += 1) request.write(String.fromCharCode(n));
  request.end();
  const { status, body } = await answered;
  assert.equal(status, 201);
  assert.equal(body['size_bytes'], 100);
});

for (const stated of [true, false]) {
  test(`a sender that goes away in the middle leaves nothing behind, its hash ${stated ? 'stated' : 'unknown'}`, async () => {
    const before = await puts.kept();
    const scan = randomBytes(2 * MIB);
    const request = await puts.begin(SENDER, {
      'content-length': scan.length,
      ...(stated && { 'content-digest': digestOf(scan) }),
    });
    request.write(scan.subarray(0, MIB));
    await eventually('half of it is there', async () => {
      const [objects, , spooled] = await puts.kept();
      return objects + spooled > before[0];
    });
    if (!stated) {
      const [spooled] = await puts.vault.spooled();
      assert.equal((await readFile(spooled!)).includes(scan.subarray(0, 64)), false, 'it waits encrypted');
    }
    request.destroy();
    await eventually('nothing is left', async () => {
      assert.equal((await puts.kept())[1], before[1]);
      return (await puts.kept()).join() === before.join();
    });
  });
}

test('one subject stores four scans at once, and others are served meanwhile', async () => {
  const open = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const request = await puts.begin(SENDER, { expect: '100-continue', 'content-length': 2 });
      await once(request, 'continue');
      return request;
    }),
  );
  const fifth = await puts.put(Buffer.from('fifth'));
  assert.deepEqual(codeOf(fifth), [429, 'OBJECTS_BUSY']);
  assert.equal(fifth.headers['retry-after'], '5');
  assert.equal(
    (await puts.put(Buffer.from('other'), {}, { bearer: { ...SENDER, subject: 'scanner 8' } })).status,
    201,
  );
  const answers = open.map(answerOf);
  open.forEach((request, place) => request.end(`s${place}`));
  assert.deepEqual(
    (await Promise.all(answers)).map(({ status }) => status),
    [201, 201, 201, 201],
  );
  assert.equal((await puts.put(Buffer.from('fifth'))).status, 201);
});

test('a server that stops ends what is under way and leaves no private folder', async () => {
  const other = await makeVault();
  const stopping = await serve(database, { tempDir: other.tempDir, stopGraceMs: 50 }, other);
  const request = httpRequest(`${stopping.url}/objects?source=carrier-a`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await stopping.issuer.token(SENDER)}` },
  });
  const failed = once(request, 'error');
  request.write(randomBytes(MIB));
  await eventually('some of it is there', async () => (await other.spooled()).length > 0);
  const before = (await puts.kept())[1];
  await stopping.stop();
  await failed.catch(() => undefined);
  assert.deepEqual(await other.spooled(), []);
  assert.deepEqual(await other.objects(), []);
  assert.equal((await puts.kept())[1], before);
});

test('puts count as requests', async () => {
  const other = await makeVault();
  const strict = await serve(database, { tempDir: other.tempDir, requestsPerMinute: 1 }, other);
  const token = await strict.issuer.token(SENDER);
  const statuses: number[] = [];
  for (const body of ['one', 'two']) {
    const response = await fetch(`${strict.url}/objects?source=carrier-a`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    statuses.push(response.status);
  }
  assert.deepEqual(statuses, [201, 429]);
});

test('a client that would rather have HTTP/2 is answered by HTTP/1.1', async () => {
  const wishes = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' };
  assert.equal((await puts.put(Buffer.from('upgrade'), wishes)).status, 201);
});

test('an empty scan is a scan too', async () => {
  const { status, body } = await puts.put(Buffer.alloc(0));
  assert.deepEqual([status, body['size_bytes']], [201, 0]);
});
