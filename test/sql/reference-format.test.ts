import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { jwtVerify } from 'jose';
import { createTestDatabase } from '../support/database.ts';
import { keyOf } from './reference-key.ts';
import { Stage, randomHash } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

async function value<Value>(expression: string, args: unknown[] = []): Promise<Value> {
  const { rows } = await stage.db.query<{ value: Value }>(`select ${expression} as value`, args);
  return rows[0]!.value;
}

/** RFC 4231, test cases 1 to 4, 6 and 7: key, data, HMAC-SHA-256. Case 5 is cut short. */
const VECTORS = [
  [
    '0b'.repeat(20),
    Buffer.from('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  ],
  [
    Buffer.from('Jefe').toString('hex'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    'aa'.repeat(20),
    Buffer.alloc(50, 0xdd),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  ],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    Buffer.alloc(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    'aa'.repeat(131),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
] as const;

for (const [index, [key, data, mac]] of VECTORS.entries()) {
  test(`HMAC-SHA-256 is that of RFC 4231: vector ${index + 1}`, async () => {
    const made = await value<Buffer>(
      'docket.hmac_sha256(docket.hmac_pad($1, 54), docket.hmac_pad($1, 92), $2)',
      [Buffer.from(key, 'hex'), data],
    );
    assert.equal(made.toString('hex'), mac);
  });
}

test('base64url is that of Node for every length up to three lines of encode(), and reads back', async () => {
  for (let length = 0; length <= 180; length += 1) {
    const bytes = randomBytes(length);
    const text = bytes.toString('base64url');
    assert.equal(await value('docket.base64url($1)', [bytes]), text);
    assert.deepEqual(await value('docket.bytes_of_base64url($1)', [text]), bytes);
  }
});

test('a reference is a JWS that jose believes by the key of the database, and binds job, task, attempt, object and time', async () => {
  const sha256 = randomHash();
  const locator = `memory:${'long/'.repeat(60)}ö`;
  const job = await stage.deliver({ sha256, locator });
  const before = Math.floor(Date.now() / 1000);
  await stage.admit();
  const { kid, key } = await keyOf(stage.db);
  const seen = new Set<unknown>();
  for (const [task, attempt, minutes] of [
    ['hash', 1, 15],
    ['ocr', 2, 60],
    ['publish', 3, 15],
  ] as const) {
    const ref = await stage.ref(job, task);
    const { payload, protectedHeader } = await jwtVerify(ref, key, {
      audience: 'docket_worker',
      subject: job,
      algorithms: ['HS256'],
    });
    assert.deepEqual(protectedHeader, { alg: 'HS256', kid });
    const { iat, exp, jti, ...bound } = payload;
    assert.deepEqual(bound, {
      sub: job,
      aud: 'docket_worker',
      purpose: task,
      attempt,
      object: locator,
      version: null,
      sha256: sha256.toString('hex'),
    });
    assert.ok(iat! >= before && iat! <= Date.now() / 1000);
    assert.ok(exp! - iat! >= minutes * 60 && exp! - iat! <= minutes * 60 + 2, `${task}: ${exp! - iat!} s`);
    assert.match(jti!, /^[0-9a-f-]{36}$/);
    seen.add(jti);
    const open = await stage.begin(job, task);
    if (task === 'hash') await stage.verify(open);
    if (task === 'ocr') await stage.record(open);
  }
  assert.equal(seen.size, 3);
});

test('a reference for a later try may be used when the try is due, and as long as any other', async () => {
  const job = await stage.deliver();
  await stage.admit();
  const { run_at: runAt } = await stage.fail(await stage.begin(job, 'hash'), 'STORE_UNAVAILABLE');
  const { key } = await keyOf(stage.db);
  const { payload } = await jwtVerify(await stage.ref(job, 'hash'), key);
  assert.equal(payload['attempt'], 2);
  assert.equal(payload.exp, Math.ceil(new Date(runAt!).getTime() / 1000 + 15 * 60));
});

test('the key is random, is as long as its hash, and nobody but the owner can read it', async () => {
  const { key } = await keyOf(stage.db);
  assert.equal(key.length, 32);
  assert.ok(new Set(key).size > 16);
  await stage.db.query('select docket.rotate_reference_key()');
  assert.notDeepEqual((await keyOf(stage.db)).key, key);
  const { rows } = await stage.db.query(
    `select r.rolname from pg_roles r
     where not r.rolsuper and r.rolname not like 'pg\\_%' and r.rolname <> 'docket_owner'
       and (has_table_privilege(r.oid, 'docket.reference_keys', 'select') or has_any_column_privilege(r.oid, 'docket.reference_keys', 'select'))
       and not pg_has_role(r.oid, 'docket_owner', 'usage')`,
  );
  assert.deepEqual(rows, []);
});
