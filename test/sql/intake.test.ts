import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { copyIn } from './copy-in.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const sender = stage.sender.pool;

const COLUMNS = '(source_id, sha256, locator, size_bytes, media_type, captured_at)';

/** RFC 9562, 5.8: the first 16 bytes of the hash of the hash, with 1000 in the high half of byte 6 and 10 in the top bits of byte 8. */
function uuid8(sha256: Buffer): string {
  const hex = createHash('sha256').update(sha256).digest('hex').slice(0, 32).split('');
  hex[12] = '8';
  hex[16] = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const rowsOf = async (text: string, values: unknown[]) =>
  (await sender.query<{ job_id: string }>(text, values)).rows.map((row) => row.job_id);

test('an insert answers with the job id, which anyone can compute from the hash', async () => {
  for (const sha256 of [
    Buffer.alloc(32, 0),
    Buffer.alloc(32, 0xff),
    ...Array.from({ length: 50 }, randomHash),
  ]) {
    assert.equal(await stage.deliver({ sha256 }), uuid8(sha256));
  }
});

test('one insert of many rows makes one job for each hash, and answers row by row', async () => {
  const hashes = Array.from({ length: 30 }, randomHash);
  const delivered = [...hashes, hashes[3]!, hashes[3]!];
  const answered = await rowsOf(
    `insert into docket.submissions ${COLUMNS}
     select 'carrier-a', h, 'memory:x', 1, 'image/png', now() from unnest($1::bytea[]) as h returning job_id`,
    [delivered],
  );
  assert.deepEqual(answered, delivered.map(uuid8));
  const jobs = await stage.db.query('select from docket.jobs where job_id = any ($1)', [answered]);
  assert.equal(jobs.rows.length, 30);
});

test('COPY into docket.deliveries makes jobs as an insert does', async () => {
  const hashes = Array.from({ length: 20 }, randomHash);
  const client = await sender.connect();
  try {
    await copyIn(
      client,
      `copy docket.deliveries ${COLUMNS} from stdin`,
      hashes
        .map((hash) =>
          ['carrier-a', `\\\\x${hash.toString('hex')}`, 'memory:x', 1, 'image/png', '2026-01-01'].join('\t'),
        )
        .join('\n'),
    );
    const error = await refused(
      'ZD011',
      copyIn(
        client,
        `copy docket.deliveries ${COLUMNS} from stdin`,
        [`\\\\x${randomHash().toString('hex')}`, '\\\\x00ff']
          .map((hash) => ['carrier-a', hash, 'memory:x', 1, 'image/png', '2026-01-01'].join('\t'))
          .join('\n'),
      ),
    );
    assert.match(error.message, /^row 2: sha256: has 2 bytes/);
  } finally {
    client.release();
  }
  const jobs = await stage.db.query('select from docket.jobs where sha256 = any ($1)', [hashes]);
  assert.equal(jobs.rows.length, 20);
});

test('a client that sends every value as untyped text, as psycopg does, delivers', async () => {
  const sha256 = randomHash();
  const answered = await rowsOf(
    `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at, document_date, document_kind, signer, envelope)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning job_id`,
    [
      'carrier-a',
      `\\x${sha256.toString('hex')}`,
      'file:bucket-1/a/b.png',
      'v1',
      '12',
      'image/png',
      '2026-01-02T03:04:05+01:00',
      '2026-01-01',
      'bill_of_lading',
      '{"name": "J. Doe", "unicode": "ž"}',
      '\\x00',
    ],
  );
  assert.deepEqual(answered, [uuid8(sha256)]);
  const { rows } = await stage.db.query(
    `select locator, version, size_bytes, captured_at, document_date::text as document_date, signer, envelope
     from docket.deliveries where sha256 = $1`,
    [sha256],
  );
  assert.deepEqual(rows, [
    {
      locator: 'file:bucket-1/a/b.png',
      version: 'v1',
      size_bytes: '12',
      captured_at: '2026-01-02 02:04:05+00',
      document_date: '2026-01-01',
      signer: { name: 'J. Doe', unicode: 'ž' },
      envelope: Buffer.from([0]),
    },
  ]);
});

test('a client that prepares a statement, batches rows and asks for all keys, as JDBC does, delivers', async () => {
  const client = await sender.connect();
  try {
    const hashes = Array.from({ length: 8 }, randomHash);
    for (const pair of [hashes.slice(0, 2), hashes.slice(2, 4), hashes.slice(4, 6), hashes.slice(6)]) {
      const { rows } = await client.query<{ job_id: string; state: string }>({
        name: 'S_1',
        text: `insert into docket.submissions ${COLUMNS}
               values ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12) returning *`,
        values: pair.flatMap((hash) => ['carrier-a', hash, 'memory:x', 1, 'image/png', new Date(0)]),
      });
      assert.deepEqual(
        rows.map((row) => row.job_id),
        pair.map(uuid8),
      );
    }
  } finally {
    client.release();
  }
});

test('an insert that is sent again after an unknown outcome gives the same job and one more delivery', async () => {
  const sha256 = randomHash();
  const [first, second] = [await stage.deliver({ sha256 }), await stage.deliver({ sha256 })];
  assert.equal(first, second);
  await stage.admit();
  assert.deepEqual((await stage.events(first)).toSorted(), ['accepted', 'admitted', 'delivered_again']);
});

test('an insert in a serializable transaction, and with constraints checked at once, delivers', async () => {
  const client = await sender.connect();
  try {
    for (const begin of [
      'begin isolation level serializable',
      'begin isolation level repeatable read',
      'begin; set constraints all immediate',
    ]) {
      await client.query(begin);
      await client.query(
        `insert into docket.submissions ${COLUMNS} values ('carrier-a', $1, 'memory:x', 1, 'image/png', now())`,
        [randomHash()],
      );
      await client.query('commit');
    }
  } finally {
    client.release(true);
  }
});

test('a login that was taken from its source delivers no more, and what it delivered stays', async () => {
  const leaver = await createSender(database, 'carrier-leaves');
  const job = await stage.deliver({}, leaver);
  await stage.db.query(`select docket.remove_source_login('carrier-leaves', $1)`, [leaver.name]);
  await refused('ZD010', stage.deliver({}, leaver));
  assert.equal((await stage.job(job))['state'], 'accepted');
  assert.deepEqual((await leaver.pool.query('select from docket.submissions')).rows, []);
});

test('the first event names the delivery, its source and the hash', async () => {
  const sha256 = createHash('sha256').update('bytes').digest();
  const job = await stage.deliver({ sha256 });
  const event = await stage.lastEvent(job);
  const { rows } = await stage.db.query<{ delivery_id: string }>(
    'select delivery_id from docket.deliveries where job_id = $1',
    [job],
  );
  assert.deepEqual(event.detail, {
    delivery: Number(rows[0]!.delivery_id),
    source: 'carrier-a',
    sha256: '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9',
  });
  assert.equal(event['actor'], stage.sender.name);
});
