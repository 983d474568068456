import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const sender = stage.sender.pool;

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
  scan_number: null,
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
  [{ scan_number: 0 }, 'ZD051', /scan_number: 0 /],
  [{ scan_number: -7 }, 'ZD051', /scan_number: -7 /],
  [{ scan_number: '9007199254740992' }, 'ZD051', /scan_number: 9007199254740992 /],
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
  await insertThird({ scan_number: 1 });
  await insertThird({ scan_number: '9007199254740991' });
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
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
       values ('carrier-a', $1, 'memory:x', 1, 'image/png', now()), ('carrier-a', $2, 'memory:x', 1, 'png', now())`,
      [sha256, randomHash()],
    ),
  );
  const jobs = await stage.db.query('select from docket.jobs where sha256 = $1', [sha256]);
  assert.equal(jobs.rows.length, 0);
});
