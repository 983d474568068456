import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { FurtherStage } from './further-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const further = await FurtherStage.open(database);
const { stage, other, third } = further;

test('a check that may pass later is put off and tried as often as its code says, then refused', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  for (const outcome of ['retry', 'retry', 'refused']) {
    await further.hasten();
    assert.deepEqual(
      (await further.claim()).map((row) => row.delivery_id),
      [delivery],
    );
    assert.deepEqual(await further.record({ [delivery]: 'OBJECT_NOT_FOUND' }), { [delivery]: outcome });
    assert.deepEqual(await further.claim(), []);
  }
  const { event, code, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, code, detail['tries']], ['delivery_refused', 'OBJECT_NOT_FOUND', 3]);
  assert.deepEqual(await further.checksOf(job), []);
});

test('an outage refuses no delivery, however long it lasts: its check is tried again every few minutes', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  for (const code of ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'KEY_UNAVAILABLE']) {
    for (let time = 0; time < 10; time += 1) {
      await further.hasten();
      assert.deepEqual(
        (await further.claim()).map((row) => row.code),
        [null],
      );
      assert.deepEqual(await further.record({ [delivery]: code }), { [delivery]: 'retry' });
    }
  }
  const { rows } = await stage.db.query<{ wait: number }>(
    `select extract(epoch from due_at - clock_timestamp())::float8 as wait from docket.delivery_checks where job_id = $1`,
    [job],
  );
  assert.ok(rows[0]!.wait > 200 && rows[0]!.wait <= 360, `due again in ${String(rows[0]!.wait)} s`);
  await further.hasten();
  await further.claim();
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'verified' });
});

test('a check that a stopping worker hands back counts as no try and is due at once', async () => {
  const sha256 = randomHash();
  await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  for (let time = 0; time < 30; time += 1) {
    assert.deepEqual(
      (await further.claim()).map((row) => [row.delivery_id, row.code]),
      [[delivery, null]],
    );
    assert.deepEqual(await further.record({ [delivery]: 'WORKER_STOPPING' }), { [delivery]: 'retry' });
  }
  await further.claim();
  await further.record({ [delivery]: null });
});

test('what a dead worker claimed is handed out again after the time of the hash task, but not for ever', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  assert.deepEqual(await further.claim(), []);
  const { rows } = await stage.db.query<{ wait: string }>(
    `select round(extract(epoch from due_at - clock_timestamp()) / 10) as wait from docket.delivery_checks where job_id = $1`,
    [job],
  );
  assert.equal(rows[0]!.wait, '12');
  for (let time = 2; time <= 20; time += 1) {
    await further.hasten();
    assert.equal((await further.claim())[0]!.code, null);
  }
  await further.hasten();
  assert.equal((await further.claim())[0]!.code, 'CRASH_LOOP');
  assert.deepEqual(await further.record({ [delivery]: 'CRASH_LOOP' }), { [delivery]: 'refused' });
});

test('sources take turns: many checks of one do not come before the first of another', async () => {
  const hashes = Array.from({ length: 6 }, randomHash);
  for (const sha256 of hashes) await stage.verified({ sha256, locator: 'memory:a' });
  const many: string[] = [];
  for (const sha256 of hashes) many.push(await further.deliver({ sha256, locator: 'memory:b' }, other));
  const one = await further.deliver({ sha256: hashes[5]!, locator: 'memory:c' }, third);
  await stage.admit();
  const claimed = (await further.claim(2)).map((row) => row.delivery_id);
  assert.ok(claimed.includes(one), claimed.join(', '));
  assert.equal(claimed.length, 2);
  await further.claim();
  await further.record(Object.fromEntries([...many, one].map((delivery) => [delivery, null])));
});

test('two workers that claim at the same time never get the same delivery, and wait for each other neither', async () => {
  const sha256 = randomHash();
  await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  const client = await stage.worker.connect();
  try {
    await client.query('begin');
    const first = await commands.claimDeliveryChecks(client, { limit: 10 });
    assert.deepEqual(
      first.map((row) => row.delivery_id),
      [delivery],
    );
    assert.deepEqual(await further.claim(), []);
    await client.query('rollback');
  } finally {
    client.release();
  }
  assert.equal((await further.claim()).length, 1);
  await further.record({ [delivery]: null });
});

test('a code that nobody knows is refused, and what is unknown or recorded already is stale', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256, locator: 'memory:a' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await refused('ZD022', further.record({ [delivery]: 'NO_SUCH_CODE' }));
  assert.deepEqual(await further.record({ [delivery]: null, '999999999': null }), {
    [delivery]: 'verified',
    '999999999': 'stale',
  });
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'stale' });
  assert.deepEqual(await further.seenBy(job), ['carrier-a', 'carrier-b']);
});
