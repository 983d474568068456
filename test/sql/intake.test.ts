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

/** A good row, for one column of which each test below puts something bad. */
const GOOD: Record<string, unknown> = {
  source_id: 'carrier-a',
  sha256: randomHash(),
  locator: 'memory:x',
  version: null,
  encryption: 'none',
  size_bytes: 1,
  media_type: 'image/png',
  captured_at: '2026-01-01',
  document_kind: 'unknown',
  signer: '{}',
  envelope: null,
};

async function insertThird(changes: Record<string, unknown>): Promise<unknown> {
  const names = Object.keys(GOOD);
  const rows = [GOOD, { ...GOOD, sha256: randomHash() }, { ...GOOD, sha256: randomHash(), ...changes }];
  const places = rows.map((_, r) => `(${names.map((_, c) => `$${r * names.length + c + 1}`).join(', ')})`);
  return sender.query(
    `insert into docket.submissions (${names.join(', ')}) values ${places.join(', ')}`,
    rows.flatMap((row) => names.map((name) => row[name])),
  );
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
await createSender(database, 'carrier-b');
await stage.db.query(`select docket.add_source('carrier-off', $1)`, [stage.sender.name]);
await stage.db.query(`select docket.set_source_enabled('carrier-off', false)`);

/** Bad value → SQLSTATE, and what the message must show of the value. */
const BAD: [Record<string, unknown>, string, RegExp][] = [
  [{ source_id: 'carrier-b' }, 'ZD010', /source_id: "carrier-b" is not a source that login "/],
  [{ source_id: 'nobody' }, 'ZD010', /source_id: "nobody"/],
  [{ source_id: 'carrier-off' }, 'ZD017', /source_id: "carrier-off" is disabled/],
  [{ sha256: Buffer.alloc(31) }, 'ZD011', /sha256: has 31 bytes/],
  [{ sha256: Buffer.alloc(0) }, 'ZD011', /sha256: has 0 bytes/],
  [{ sha256: Buffer.from('ab'.repeat(32)) }, 'ZD011', /sha256: has 64 bytes/],
  [{ captured_at: tomorrow }, 'ZD012', new RegExp(`captured_at: ${tomorrow.slice(0, 10)}`)],
  [{ captured_at: 'infinity' }, 'ZD012', /captured_at: infinity/],
  [{ captured_at: '-infinity' }, 'ZD012', /captured_at: -infinity/],
  [{ size_bytes: -1 }, 'ZD013', /size_bytes: -1/],
  [{ size_bytes: '5368709121' }, 'ZD013', /size_bytes: 5368709121/],
  [{ locator: '' }, 'ZD014', /locator: ""/],
  [{ locator: '/etc/passwd' }, 'ZD014', /locator: "\/etc\/passwd"/],
  [{ locator: 'file:../x' }, 'ZD014', /locator: "file:\.\.\/x"/],
  [{ locator: 'file:/etc/passwd' }, 'ZD014', /locator: "file:\/etc\/passwd"/],
  [{ locator: 'file:a/../../x' }, 'ZD014', /locator/],
  [{ locator: 'file:a\\b' }, 'ZD014', /locator/],
  [{ locator: 'file:a\nb' }, 'ZD014', /locator/],
  [{ locator: 'http://example.org/x' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket//x' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/a//x' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/a/./x' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/a/../x' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/a/' }, 'ZD014', /locator/],
  [{ locator: 's3://bucket/a\u0001' }, 'ZD014', /locator/],
  [{ locator: 's3://Bucket/x' }, 'ZD014', /locator/],
  [{ locator: 's3://user:password@bucket/x' }, 'ZD014', /locator/],
  [{ locator: 's3:bucket/x' }, 'ZD014', /locator/],
  [{ version: '' }, 'ZD014', /version: ""/],
  [{ version: 'a\nb' }, 'ZD014', /version/],
  [{ encryption: 'rot13' }, 'ZD028', /encryption: "rot13"/],
  [{ encryption: '' }, 'ZD028', /encryption/],
  [{ locator: `file:a${'x'.repeat(1024)}` }, 'ZD014', /locator/],
  [{ document_kind: 'invoice' }, 'ZD015', /document_kind: "invoice"/],
  [{ media_type: 'png' }, 'ZD018', /media_type: "png"/],
  [{ media_type: `image/${'x'.repeat(130)}` }, 'ZD018', /media_type: "image\/xxx/],
  [{ signer: '[]' }, 'ZD019', /signer: .*array/],
  [{ signer: 'null' }, 'ZD019', /signer: .*null/],
  [{ signer: JSON.stringify({ name: 'x'.repeat(20_000) }) }, 'ZD019', /signer: .*20\d\d\d/],
  [{ envelope: Buffer.alloc(1_048_577) }, 'ZD019', /envelope: .*1048577/],
];

for (const [changes, sqlstate, message] of BAD) {
  const shown = JSON.stringify(changes).slice(0, 60);
  test(`a row with ${shown} is refused as ${sqlstate}, naming row, column and value`, async () => {
    const error = await refused(sqlstate, insertThird(changes));
    assert.match(error.message, /^row 3: /);
    assert.match(error.message, message);
    const { rows } = await stage.db.query<{ remedy: string }>(
      'select remedy from docket.error_codes where sqlstate = $1',
      [sqlstate],
    );
    assert.equal(error.hint, rows[0]!.remedy);
    assert.equal(error.detail, undefined);
  });
}

test('limits are inclusive', async () => {
  await insertThird({ size_bytes: 0 });
  await insertThird({ size_bytes: '5368709120' });
  await insertThird({ captured_at: new Date(Date.now() + 240_000).toISOString() });
  await insertThird({ envelope: Buffer.alloc(1_048_576) });
  await insertThird({ captured_at: '1970-01-01' });
});

test('an object of a bucket is named by bucket, key and version', async () => {
  const version = '3HL4kqtJvjVBH40Nrjfkd';
  await insertThird({ locator: `s3://docket-scans/carrier-a/ab/${'a'.repeat(64)}`, version });
  await insertThird({
    locator: 's3://my.own.bucket/_Scans 2026/page 1 (façade).png',
    encryption: 'external',
  });
});

test('a column that is missing is named', async () => {
  for (const name of [
    'source_id',
    'sha256',
    'locator',
    'size_bytes',
    'media_type',
    'captured_at',
    'encryption',
  ]) {
    const error = await refused('23502', insertThird({ [name]: null }));
    assert.equal(error.column, name);
  }
});

test('one bad row refuses the whole statement and leaves no job', async () => {
  const sha256 = randomHash();
  await refused(
    'ZD018',
    sender.query(
      `insert into docket.submissions ${COLUMNS}
       values ('carrier-a', $1, 'memory:x', 1, 'image/png', now()), ('carrier-a', $2, 'memory:x', 1, 'png', now())`,
      [sha256, randomHash()],
    ),
  );
  const jobs = await stage.db.query('select from docket.jobs where sha256 = $1', [sha256]);
  assert.equal(jobs.rows.length, 0);
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
