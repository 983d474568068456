import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { asGateway } from './as-token.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const root = database.pool();
const carrierA = await createSender(database, 'carrier-a');
const operator = await createLogin(database, 'docket_operator');

type Recorded = Parameters<typeof commands.recordObject>[1];

function recorded(changes: Partial<Recorded> = {}): Recorded {
  const sealedSha256 = randomHash();
  return {
    objectKeyId: randomUUID(),
    sourceId: 'carrier-a',
    locator: `file:carrier-a/${sealedSha256.toString('hex')}`,
    version: null,
    sha256: randomHash(),
    sizeBytes: '100',
    sealedSha256,
    sealedSizeBytes: '1000',
    keyId: 'file-0123456789abcdef',
    wrappedKey: randomBytes(300),
    ...changes,
  };
}

test('what is recorded of an object has the documented shape, and is recorded once', async () => {
  const good = recorded();
  await commands.recordObject(carrierA.pool, good);
  const bad: Partial<Recorded>[] = [
    { locator: good.locator },
    { objectKeyId: good.objectKeyId },
    { locator: 'ftp://host/scan' },
    { locator: 'file:../../etc/passwd' },
    { locator: '' },
    { sha256: randomBytes(31) },
    { sealedSha256: randomBytes(33) },
    { sizeBytes: '-1' },
    { sealedSizeBytes: '99' },
    { keyId: '' },
    { keyId: `a'b` },
    { wrappedKey: Buffer.alloc(0) },
    { wrappedKey: randomBytes(8193) },
  ];
  for (const changes of bad) await refused('ZD038', commands.recordObject(carrierA.pool, recorded(changes)));
  const { rows } = await root.query('select from docket.object_keys');
  assert.equal(rows.length, 1);
});

test('who may not deliver for a source learns nothing of its objects and records none', async () => {
  const one = recorded();
  await commands.recordObject(carrierA.pool, one);
  const other = await createSender(database, 'carrier-b');
  await refused('ZD010', commands.recordObject(other.pool, recorded()));
  await refused('ZD010', commands.knownObject(other.pool, { sourceId: 'carrier-a', sha256: one.sha256 }));
  await refused(
    'ZD010',
    commands.knownObject(other.pool, { sourceId: 'no-such-source', sha256: one.sha256 }),
  );
  assert.deepEqual(await commands.knownObject(other.pool, { sourceId: 'carrier-b', sha256: one.sha256 }), []);
  const [known] = await commands.knownObject(carrierA.pool, { sourceId: 'carrier-a', sha256: one.sha256 });
  assert.deepEqual([known?.locator, known?.key_id], [one.locator, one.keyId]);
  await refused('42501', carrierA.pool.query('select wrapped_key from docket.object_keys'));
});

test('a key stays with its object: only its wrapping changes, even by the owner of the table', async () => {
  const one = recorded();
  await commands.recordObject(carrierA.pool, one);
  for (const change of [
    `locator = 'file:x'`,
    `source_id = 'carrier-b'`,
    `sha256 = sha256('x')`,
    `sealed_by = 'x'`,
    `sealed_at = now()`,
    'size_bytes = 1',
    `object_key_id = gen_random_uuid()`,
  ]) {
    await refused(
      'ZD001',
      root.query(`update docket.object_keys set ${change} where object_key_id = $1`, [one.objectKeyId]),
    );
  }
  await refused(
    'ZD001',
    root.query('delete from docket.object_keys where object_key_id = $1', [one.objectKeyId]),
  );
  await refused('ZD001', root.query('truncate docket.object_keys'));
});

test('operators go through wrapped keys in batches and replace them, and nobody else does', async () => {
  for (let n = 0; n < 5; n += 1) await commands.recordObject(carrierA.pool, recorded());
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const rows = await commands.listWrappedKeys(operator.pool, { exceptKeyId: 'file-new', after, limit: 2 });
    if (rows.length === 0) break;
    after = rows.at(-1)!.object_key_id;
    ids.push(...rows.map((row) => row.object_key_id));
    const done = await commands.rewrapKeys(operator.pool, {
      objectKeys: [...rows.map((row) => row.object_key_id), randomUUID()],
      wrapped: [...rows.map(() => randomBytes(10)), randomBytes(10)],
      keyId: 'file-new',
    });
    assert.equal(done.length, rows.length);
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(await commands.usedKeyIds(operator.pool), [
    { key_id: 'file-new', object_count: String(ids.length) },
  ]);
  const batch = { objectKeys: [ids[0]!], wrapped: [Buffer.alloc(0)], keyId: 'file-new' };
  await refused('ZD038', commands.rewrapKeys(operator.pool, batch));
  await refused('42501', commands.rewrapKeys(carrierA.pool, batch));
  await refused(
    '42501',
    commands.listWrappedKeys(carrierA.pool, { exceptKeyId: null, after: null, limit: 1 }),
  );
});

test('a token of a sender may deliver for the sources that it names, while they are enabled; no other token may', async () => {
  await createSender(database, 'carrier-c');
  const mayDeliver = async (role: string, sources: string[], sourceId = 'carrier-c'): Promise<unknown> => {
    const claims = JSON.stringify({ sub: 'scanner', role, sources });
    const text = 'select docket.may_deliver($1) as may';
    const { rows } = await asGateway(database, { role: `docket_${role}`, claims }, text, [sourceId]);
    return rows[0]?.['may'];
  };
  assert.equal(await mayDeliver('app', ['carrier-c']), true);
  assert.equal(await mayDeliver('app', ['*']), true);
  assert.equal(await mayDeliver('app', ['carrier-a']), false);
  assert.equal(await mayDeliver('app', ['no-such-source'], 'no-such-source'), false);
  for (const role of ['analyst', 'operator', 'evidence_owner', 'auditor']) {
    await refused('42501', mayDeliver(role, ['carrier-c']));
  }
  await root.query(`select docket.set_source_enabled('carrier-c', false)`);
  assert.equal(await mayDeliver('app', ['carrier-c']), false);
});
