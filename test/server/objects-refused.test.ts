import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { refuse } from '../../src/server/http/refusal.ts';
import { createObjects } from '../../src/server/objects/objects.ts';
import { createFileStore } from '../../src/store/file-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createSender } from '../support/logins.ts';
import type { PutFixture } from './put-fixture.ts';
import { answerOf, codeOf, digestOf, LARGEST, MIB, openPuts, SENDER } from './put-fixture.ts';
import { makeVault } from './sealed-vault.ts';
import { serve } from './server-fixture.ts';
import { Subscriber } from './subscriber.ts';

const database = await createTestDatabase();
let puts: PutFixture;
before(async () => {
  puts = await openPuts(database);
});

test('bytes of another hash than was stated are kept nowhere, and the source may be put to nowhere else', async () => {
  const before = await puts.kept();
  const scan = randomBytes(MIB);
  assert.deepEqual(codeOf(await puts.put(scan, { 'content-digest': digestOf(Buffer.from('other')) })), [
    422,
    'HASH_MISMATCH',
  ]);
  for (const [path, code] of [
    ['/objects?source=carrier-b', 'ZD010'],
    ['/objects?source=nobody', 'ZD010'],
    ['/objects?source=off', 'ZD010'],
  ] as const) {
    assert.deepEqual(codeOf(await puts.put(scan, {}, { path })), [403, code], path);
  }
  const all = { ...SENDER, sources: ['carrier-a', 'off'] };
  const off = await puts.put(scan, {}, { bearer: all, path: '/objects?source=off' });
  assert.deepEqual(codeOf(off), [403, 'ZD017']);
  assert.equal(off.body.errors![0]!.message, 'source_id: "off" is disabled');
  assert.deepEqual(await puts.kept(), before);
});

test('a scan that could not be delivered now is not taken in: 429, and when to try again', async () => {
  const scan = randomBytes(MIB);
  const before = await puts.kept();
  const db = database.pool();
  // Two documents of the source wait, and no more than two may; another source has no limit.
  const sender = await createSender(database, 'carrier-full');
  await createSender(database, 'carrier-free');
  await sender.pool.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     select 'carrier-full', sha256(int4send(n)), 'memory:x', 1, 'image/png', now() from generate_series(1, 2) as n`,
  );
  await db.query(
    `select docket.set_flow_limit('source:carrier-full', '{"max_waiting": 2, "documents_per_minute": 6, "documents_burst": 1}', 'a test')`,
  );
  const bearer = { ...SENDER, sources: ['carrier-full', 'carrier-free'] };
  const full = await puts.put(scan, {}, { bearer, path: '/objects?source=carrier-full' });
  assert.deepEqual(codeOf(full), [429, 'ZD072']);
  // No token was taken yet, so one of the two may enter at once: then there is room.
  assert.match(full.headers['retry-after']!, /^\d+$/);
  assert.deepEqual(await puts.kept(), before);
  const free = await puts.put(scan, {}, { bearer, path: '/objects?source=carrier-free' });
  assert.equal(free.status, 201);
});

test('what is no put is refused by name', async () => {
  const scan = Buffer.from('scan');
  const answers = {
    '400 OBJECT_PARAMETER': [
      puts.put(scan, {}, { path: '/objects' }),
      puts.put(scan, {}, { path: '/objects?source=' }),
      puts.put(scan, {}, { path: '/objects?source=carrier-a&name=x' }),
      puts.put(scan, {}, { path: '/objects?source=carrier-b&source=carrier-a' }),
    ],
    '400 DIGEST_MALFORMED': [
      puts.put(scan, { 'content-digest': 'sha-256=3q2+7w==' }),
      puts.put(scan, { 'content-digest': 'sha-256=:3q2+7w==:' }),
    ],
    '415 CODING_REFUSED': [puts.put(scan, { 'content-encoding': 'gzip' })],
    '403 PERMISSION_DENIED': ['analyst', 'operator', 'evidence_owner', 'auditor'].map((role) =>
      puts.put(scan, {}, { bearer: { role, sources: ['*'] } }),
    ),
    '401 TOKEN_INVALID': [puts.put(scan, {}, { bearer: { ...SENDER, role: 'owner' } })],
  };
  for (const [expected, puts] of Object.entries(answers)) {
    for (const answered of await Promise.all(puts)) assert.equal(codeOf(answered).join(' '), expected);
  }
  const get = await puts.begin(SENDER, {}, '/objects?source=carrier-a', 'GET');
  const refused = answerOf(get);
  get.end();
  assert.deepEqual(codeOf(await refused), [405, 'METHOD_REFUSED']);
  assert.equal((await refused).headers.allow, 'PUT');
});

test('a token of a sender gets nothing but that: no question, no list, no subscription', async () => {
  const everything = { ...SENDER, sources: ['*'] };
  assert.equal(
    (await puts.server.ask(everything, '{ sources(first: 1) { nodes { sourceId } } }')).status,
    403,
  );
  assert.equal((await puts.server.get(everything, '/export/documents.csv')).status, 403);
  const subscriber = await Subscriber.open(puts.server.url, await puts.server.issuer.token(everything));
  await eventually('it is sent away', () => subscriber.closed);
  assert.equal(subscriber.closed?.code, 4403);
});

test('a scan that is too large is refused before it is read where it says so, else as soon as it is', async () => {
  const before = await puts.kept();
  const announced = await puts.begin(SENDER, { 'content-length': LARGEST + 1 });
  announced.flushHeaders();
  assert.deepEqual(codeOf(await answerOf(announced)), [413, 'OBJECT_TOO_LARGE']);
  announced.destroy();
  for (const headers of [{}, { 'content-digest': digestOf(Buffer.from('whatever')) }]) {
    const growing = await puts.begin(SENDER, headers);
    const refused = answerOf(growing);
    for (let n = 0; n < 5; n += 1) growing.write(randomBytes(MIB));
    assert.deepEqual(codeOf(await refused), [413, 'OBJECT_TOO_LARGE']);
    assert.equal((await refused).headers.connection, 'close');
    growing.destroy();
  }
  assert.equal((await puts.put(randomBytes(LARGEST))).status, 201, 'the largest that is taken');
  await eventually('nothing else is left', async () => {
    const [objects, recorded, spooled] = await puts.kept();
    return objects === before[0] + 1 && recorded === before[1] + 1 && spooled === 0;
  });
});

test('who asks first is told to go on only when the token, the source and the size are right', async () => {
  const asking = { expect: '100-continue', 'content-length': 4 };
  const refusals = [
    [undefined, asking, 'carrier-a', 401],
    [SENDER, asking, 'carrier-b', 403],
    [SENDER, { ...asking, 'content-length': LARGEST + 1 }, 'carrier-a', 413],
  ] as const;
  for (const [bearer, headers, source, status] of refusals) {
    const request = await puts.begin(bearer, headers, `/objects?source=${source}`);
    request.once('continue', () => assert.fail('it was told to go on'));
    const answered = await answerOf(request);
    assert.equal(answered.status, status);
    assert.equal(answered.headers.connection, 'close', 'the body that does not come is not waited for');
  }
  const request = await puts.begin(SENDER, asking);
  const answered = answerOf(request);
  await once(request, 'continue');
  request.end('scan');
  assert.equal((await answered).status, 201);
});

test('a server without store and keys says that it takes none', async () => {
  const without = await serve(database);
  const response = await fetch(`${without.url}/objects?source=carrier-a`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await without.issuer.token(SENDER)}` },
    body: 'scan',
  });
  assert.equal(response.status, 501);
});

test('while the store, the keys or the database are away, the sender is told when to come back', async () => {
  const broken = await makeVault();
  const log = createLog({ level: 'silent' });
  // What should be the folder of the store is a file; what should be the database is nothing.
  const [file] = await puts.vault.objects();
  const storeless = { store: createFileStore(join(file!, 'objects')), keyring: broken.keyring };
  const keyFile = join(await mkdtemp(join(tmpdir(), 'dkk-')), 'keys.json');
  after(() => rm(dirname(keyFile), { recursive: true }));
  const keyring = await openKeyring({ keyFile, kmsKey: undefined, recoveryKey: undefined });
  await writeFile(keyFile, '{}');
  const nowhere = `postgres://docket_gateway@127.0.0.1:1/docket`;
  for (const [vault, url] of [
    [storeless, database.url('docket_gateway')],
    [{ store: broken.store, keyring }, database.url('docket_gateway')],
    [broken, nowhere],
  ] as const) {
    const objects = createObjects({ url, vault, maxBytes: LARGEST, privateFolder: notAsked, log });
    const identity = { subject: 's', role: 'sender', sources: ['carrier-a'], expiresAt: new Date() } as const;
    const server = createServer(
      (request, response) =>
        void objects
          .answer(request, response, identity)
          .catch((error: unknown) => refuse(response, error, log)),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const scan = Buffer.from('scan of a bad day');
    const response = await fetch(`http://127.0.0.1:${port}/objects?source=carrier-a`, {
      method: 'PUT',
      headers: { 'content-digest': digestOf(scan) },
      body: scan,
    });
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '5');
    assert.match(await response.text(), /"not available now; try again later".*"UNAVAILABLE"/);
    await objects.stop();
    server.closeAllConnections();
    server.close();
  }
});

const notAsked = () => Promise.reject(new Error('nothing is to be set aside'));
