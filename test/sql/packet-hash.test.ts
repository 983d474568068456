import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { packetHash, saltedPacketHash, type EvidencePacket } from '../../src/domain/packet-hash.ts';
import { createTestDatabase } from '../support/database.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const source = stage.sender.sourceId;

test('the event verified names the salted hash of the whole packet, as bytes written out by hand have it', async () => {
  const sha256 = createHash('sha256').update('a packet').digest();
  const envelope = Buffer.from('ee', 'hex');
  const { rows } = await stage.sender.pool.query<{ job_id: string; micros: string }>(
    `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at, document_date,
       document_kind, signer, envelope)
     values ($1, $2, 'memory:a', 'v1', 258, 'image/png', '2000-01-01 00:00:00.000002+00', '2000-01-03', 'terms',
       '{ "name":  "Ö" }', $3)
     returning job_id, (extract(epoch from received_at) * 1000000)::bigint - 946684800000000 as micros`,
    [source, sha256, envelope],
  );
  const row = rows[0]!;
  const receivedAt = BigInt(row.micros).toString(16).padStart(16, '0');
  const name = (text: string) =>
    Buffer.byteLength(text).toString(16).padStart(8, '0') + Buffer.from(text).toString('hex');
  await stage.admit();
  const attempt = await stage.begin(row.job_id, 'hash');
  await stage.verify(attempt);
  const salts = await stage.db.query<{ salt: Buffer }>(
    'select salt from docket.job_salts where job_id = $1',
    [row.job_id],
  );
  const salt = salts.rows[0]!.salt;
  const bytes = [
    salt.toString('hex'),
    '646f636b65742e7061636b65742e320a', // docket.packet.2\n
    sha256.toString('hex'),
    '0000000000000102',
    name('image/png'),
    name('memory:a'),
    name('v1'),
    name(source),
    name('terms'),
    '0000000000000002',
    receivedAt,
    '0000000400000002',
    name('{ "name":  "Ö" }'),
    '00000001ee',
  ].join('');
  const byHand = createHash('sha256').update(Buffer.from(bytes, 'hex')).digest('hex');

  const event = await stage.lastEvent(row.job_id);
  assert.equal(event.event, 'verified');
  assert.equal(event.detail['salted_packet_sha256'], byHand);
  assert.equal(event.detail['packet_sha256'], undefined);

  const outside = saltedPacketHash(salt, {
    sha256,
    sizeBytes: 258n,
    mediaType: 'image/png',
    locator: 'memory:a',
    version: 'v1',
    sourceId: source,
    documentKind: 'terms',
    capturedAtMicros: 2n,
    receivedAtMicros: BigInt(row.micros),
    documentDateDays: 2,
    signer: '{ "name":  "Ö" }',
    envelope,
    scanNumber: null,
  });
  assert.equal(outside.toString('hex'), byHand);
});

/** A packet without version, date and envelope. */
const BARE: EvidencePacket = {
  sha256: randomBytes(32),
  sizeBytes: 0n,
  mediaType: 'image/png',
  locator: 'memory:a',
  version: null,
  sourceId: 's',
  documentKind: 'unknown',
  capturedAtMicros: -946_684_800_000_000n,
  receivedAtMicros: -1_000_000n,
  documentDateDays: null,
  signer: '{}',
  envelope: null,
  scanNumber: null,
};
const BARE_BYTES = `docket.packet_bytes($1, 0, 'image/png', 'memory:a', null, 's', 'unknown', '1970-01-01 00:00+00',
  '1999-12-31 23:59:59+00', null, '{}', null, null)`;
const NUMBERED_BYTES = BARE_BYTES.replace(/null\)$/, '258)');

test('a packet without version, date and envelope hashes alike in SQL and outside it', async () => {
  const salt = randomBytes(32);
  const { rows } = await stage.db.query<{ hash: Buffer }>(
    `select docket.salted_packet_hash($2, ${BARE_BYTES}) as hash`,
    [BARE.sha256, salt],
  );
  assert.deepEqual(rows[0]?.hash, saltedPacketHash(salt, BARE));
});

test('a packet with a number ends with a field of it, in SQL, outside and by hand', async () => {
  const salt = randomBytes(32);
  const { rows } = await stage.db.query<{ bare: Buffer; numbered: Buffer; hash: Buffer }>(
    `select ${BARE_BYTES} as bare, ${NUMBERED_BYTES} as numbered,
       docket.salted_packet_hash($2, ${NUMBERED_BYTES}) as hash`,
    [BARE.sha256, salt],
  );
  const { bare, numbered, hash } = rows[0]!;
  assert.equal(numbered.toString('hex'), `${bare.toString('hex')}000000080000000000000102`);
  assert.deepEqual(hash, saltedPacketHash(salt, { ...BARE, scanNumber: 258n }));
});

test('events from before packets were salted still prove theirs, and a salted hash proves none without its salt', async () => {
  const salt = randomBytes(32);
  const old = packetHash(BARE).toString('hex');
  const salted = saltedPacketHash(salt, BARE).toString('hex');
  for (const [detail, withSalt, expected] of [
    [{ packet_sha256: old }, null, true],
    [{ packet_sha256: old }, salt, true],
    [{ packet_sha256: salted }, salt, false],
    [{ salted_packet_sha256: salted }, salt, true],
    [{ salted_packet_sha256: salted }, null, false],
    [{ salted_packet_sha256: salted }, randomBytes(32), false],
    [{ salted_packet_sha256: old }, salt, false],
    [{ salted_packet_sha256: 'f'.repeat(64), packet_sha256: old }, salt, false],
    [{}, salt, false],
  ] as const) {
    const { rows } = await stage.db.query<{ is_proven: boolean }>(
      `select docket.packet_is_proven($2, $3, ${BARE_BYTES}) as is_proven`,
      [BARE.sha256, JSON.stringify(detail), withSalt],
    );
    assert.equal(rows[0]?.is_proven, expected, JSON.stringify(detail));
  }
});
