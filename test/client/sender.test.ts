import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Sender } from '../../src/client/sender.ts';
import { createSender } from '../../src/client/sender.ts';
import { DocketError } from '../../src/errors.ts';
import type { PutFixture } from '../server/put-fixture.ts';
import { LARGEST, openPuts, SENDER } from '../server/put-fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Login } from '../support/logins.ts';
import { createLogin } from '../support/logins.ts';

const database = await createTestDatabase();
const home = await mkdtemp(join(tmpdir(), 'docket-sender-'));
after(() => rm(home, { recursive: true, force: true }));
const sourceId = 'carrier-a';
let puts: PutFixture;
let sender: Sender;
let login: Login;

before(async () => {
  puts = await openPuts(database);
  login = await createLogin(database, 'docket_app');
  await database.pool().query('select docket.add_source($1, $2)', [sourceId, login.name]);
  sender = createSender({ url: puts.server.url, token: () => puts.server.issuer.token(SENDER) });
});

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const failsWith = (code: string, status?: number) => (error: unknown) =>
  error instanceof DocketError && error.code === code && error.data['status'] === status;

async function* pieces(scan: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < scan.length; at += 10_000)
    yield await Promise.resolve(scan.subarray(at, at + 10_000));
}

test('a scan from memory, from a file and from a stream is the same object', async () => {
  const scan = randomBytes(1_000_000);
  const file = join(home, 'scan');
  await writeFile(file, scan);
  const first = await sender.putObject({ sourceId, bytes: scan });
  assert.equal(first.sha256, hashOf(scan));
  assert.equal(first.sizeBytes, scan.length);
  assert.equal(first.isNew, true);
  const again = { ...first, isNew: false };
  assert.deepEqual(await sender.putObject({ sourceId, file }), again);
  assert.deepEqual(await sender.putObject({ sourceId, bytes: pieces(scan) }), again);
  const digest = createHash('sha256').update(scan).digest();
  assert.deepEqual(await sender.putObject({ sourceId, bytes: pieces(scan), sha256: digest }), again);
});

test('a stored scan is delivered by one row, with what was stated of it', async () => {
  const scan = await sender.putObject({ sourceId, bytes: randomBytes(1000) });
  const capturedAt = new Date('2026-03-01T09:30:00.250Z');
  const { jobId, deliveryId } = await sender.submit(login.pool, {
    sourceId,
    scan,
    mediaType: 'image/png',
    capturedAt,
    documentKind: 'delivery_receipt',
    documentDate: '2026-02-28',
    signer: { name: 'A. Driver' },
    envelope: Buffer.from('signature'),
    scanNumber: 17,
  });
  const { rows } = await database.pool().query(
    `select encode(sha256, 'hex') as sha256, locator, version, size_bytes, media_type, captured_at, document_kind,
       document_date::text, signer, envelope, encryption, scan_number, submitted_by
     from docket.deliveries where delivery_id = $1`,
    [deliveryId],
  );
  assert.deepEqual(rows, [
    {
      sha256: scan.sha256,
      locator: scan.object,
      version: null,
      size_bytes: '1000',
      media_type: 'image/png',
      captured_at: '2026-03-01 09:30:00.25+00',
      document_kind: 'delivery_receipt',
      document_date: '2026-02-28',
      signer: { name: 'A. Driver' },
      envelope: Buffer.from('signature'),
      encryption: 'docket',
      scan_number: '17',
      submitted_by: login.name,
    },
  ]);
  const state = await login.pool.query('select state from docket.submissions where job_id = $1', [jobId]);
  assert.deepEqual(state.rows, [{ state: 'accepted' }]);
});

test('what the server refuses has its code and status, and is not tried again', async () => {
  const scan = Buffer.from('scan');
  await assert.rejects(sender.putObject({ sourceId: 'carrier-b', bytes: scan }), failsWith('ZD010', 403));
  await assert.rejects(
    sender.putObject({ sourceId, bytes: scan, sha256: hashOf(Buffer.from('other')) }),
    failsWith('HASH_MISMATCH', 422),
  );
  await assert.rejects(
    sender.putObject({ sourceId, bytes: Buffer.alloc(LARGEST + 1) }),
    failsWith('OBJECT_TOO_LARGE', 413),
  );
  const stranger = createSender({ url: puts.server.url, token: 'nobody' });
  await assert.rejects(stranger.putObject({ sourceId, bytes: scan }), failsWith('TOKEN_INVALID', 401));
});

test('what cannot be meant is refused before anything is sent, each value by name', async () => {
  const invalid = failsWith('CLIENT_INPUT');
  assert.throws(
    () => createSender({ url: 'ftp://docket', token: '' }),
    (error) => invalid(error) && /url: .*token: /.test(String(error)),
  );
  const both = { sourceId, bytes: Buffer.from('scan'), file: '/scan' };
  for (const given of [{ sourceId }, both, { sourceId, file: '/scan', sha256: 'abc' }, { file: '/scan' }]) {
    await assert.rejects(sender.putObject(given as never), invalid, JSON.stringify(given));
  }
  await assert.rejects(
    sender.putObject({ sourceId, file: join(home, 'nothing') }),
    failsWith('FILE_UNREADABLE'),
  );
  const scan = { object: 'file:a/b', version: null, sha256: 'a'.repeat(64), sizeBytes: 1 };
  const stated = { sourceId, scan, mediaType: 'image/png', capturedAt: new Date() };
  for (const wrong of [
    { mediaType: 'png' },
    { capturedOn: new Date() },
    { capturedAt: 'today' },
    { scan: {} },
  ]) {
    await assert.rejects(
      sender.submit(login.pool, { ...stated, ...wrong } as never),
      invalid,
      JSON.stringify(wrong),
    );
  }
});

/** A server of the test's own, for what ours does only when something is wrong with it. */
async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docket`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('while the server is away or busy a put is tried again, but a stream cannot be', async () => {
  const scan = Buffer.from('scan');
  const answers = ['cut', 503, 429, 201];
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    const answer = answers.shift();
    asked.push(String(request.url));
    if (answer === 'cut') return void request.socket.destroy();
    response.writeHead(Number(answer), { 'retry-after': '0' });
    response.end(
      JSON.stringify({ object: 'file:a/b', version: null, sha256: hashOf(scan), size_bytes: scan.length }),
    );
  };
  await withServer(listener, async (url) => {
    const patient = createSender({ url, token: 'token' });
    assert.equal((await patient.putObject({ sourceId, bytes: scan })).isNew, true);
    assert.deepEqual(asked, Array(4).fill('/docket/objects?source=carrier-a'));
    answers.push('cut', 503);
    await assert.rejects(
      patient.putObject({ sourceId, bytes: pieces(scan) }),
      failsWith('SERVER_UNREACHABLE'),
    );
    await assert.rejects(
      patient.putObject({ sourceId, bytes: pieces(scan) }),
      failsWith('SERVER_REFUSED', 503),
    );
  });
});

test('an answer about other bytes is not believed, and a caller can give up', async () => {
  const scan = Buffer.from('scan');
  const other = { object: 'file:a/b', version: null, sha256: 'a'.repeat(64), size_bytes: 4 };
  await withServer(
    (_request, response) => response.writeHead(201).end(JSON.stringify(other)),
    async (url) => {
      const told = createSender({ url, token: 'token' });
      await assert.rejects(told.putObject({ sourceId, bytes: scan }), failsWith('HASH_MISMATCH'));
    },
  );
  const giveUp = new AbortController();
  await withServer(
    () => giveUp.abort(new Error('no longer wanted')),
    async (url) => {
      const waiting = createSender({ url, token: 'token' });
      await assert.rejects(
        waiting.putObject({ sourceId, bytes: scan, signal: giveUp.signal }),
        /no longer wanted/,
      );
    },
  );
});
