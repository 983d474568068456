import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { leaves, recordEvents, sealAll, seals } from './log-stage.ts';
import { consistencyByDefinition, pathByDefinition, rootByDefinition } from './merkle-tree.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const db = database.pool();
const worker = database.pool('docket_worker');
const LONG_AGO = new Date(Date.now() - 60_000);

async function ask<T>(expression: string, ...values: unknown[]): Promise<T> {
  const { rows } = await db.query<{ answer: T }>(`select ${expression} as answer`, values);
  return rows[0]!.answer;
}

async function status(): Promise<commands.SealStatusRow> {
  return (await commands.sealStatus(worker))[0]!;
}

/** Every seal, checked against the definition of the tree over all events in order. */
async function assertSealed(): Promise<void> {
  const hashes = (await leaves(db)).map((leaf) => leaf.hash);
  let size = 0;
  for (const seal of await seals(db)) {
    size += Number(seal.events);
    assert.equal(seal.size, String(size));
    if (size < 3000)
      assert.deepEqual(seal.root, rootByDefinition(hashes.slice(0, size)), `seal ${seal.seal_no}`);
  }
  assert.equal(size, hashes.length, 'every event is sealed once');
}

test('there is nothing to seal at first, and the tree is that of no leaves', async () => {
  assert.deepEqual(await commands.sealEvents(worker, { limit: 10 }), []);
  const { sealed_at, size, unsealed_events, oldest_unsealed_at, code } = await status();
  assert.deepEqual(
    [sealed_at, size, unsealed_events, oldest_unsealed_at, code],
    [null, '0', '0', null, null],
  );
  assert.equal(
    (await ask<Buffer>('docket.tree_root(0)')).toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

test('a seal holds whole transactions, in order, about as many events as were asked for', async () => {
  for (const count of [4, 4, 4, 25, 3]) await recordEvents(db, count);
  await eventually(
    'something is sealed',
    async () => (await commands.sealEvents(worker, { limit: 10 })).length > 0,
  );
  await sealAll(worker, 10);
  // The first may have been cut short by a transaction of another test; none is ever split.
  const [first, ...others] = await seals(db);
  assert.ok(['4', '8'].includes(first!.events), first!.events);
  assert.deepEqual(others.at(-1)!.events, '3');
  assert.ok(others.some((seal) => seal.events === '25'));
  await assertSealed();
});

test('roots, tiles and proofs are those of the definition, at sizes around every edge of a tile', async () => {
  for (const count of [180, 35, 1, 255, 257, 1, 700, 300]) {
    await recordEvents(db, count);
    await sealAll(worker);
  }
  await assertSealed();
  const rows = await leaves(db);
  const hashes = rows.map((leaf) => leaf.hash);
  const { rows: tiles } = await db.query<{ tile_no: string; root: Buffer; middle: Buffer; hashes: Buffer }>(
    'select tile_no, root, middle, hashes from docket_audit.tiles where tile_level = 0 order by tile_no',
  );
  assert.equal(tiles.length, Math.floor(hashes.length / 256));
  for (const [index, tile] of tiles.entries()) {
    const own = hashes.slice(index * 256, index * 256 + 256);
    assert.equal(tile.tile_no, String(index));
    assert.deepEqual(tile.hashes, Buffer.concat(own));
    const sixteens = Array.from({ length: 16 }, (_, n) => rootByDefinition(own.slice(n * 16, n * 16 + 16)));
    assert.deepEqual(tile.middle, Buffer.concat(sixteens));
    assert.deepEqual(tile.root, rootByDefinition(own));
  }
  const last = hashes.length;
  const edges = [1, 2, 3, 255, 256, 257, 511, 512, 513, 768, last - 1, last];
  for (const size of [...edges, randomInt(1, last), randomInt(1, last)]) {
    const tree = hashes.slice(0, size);
    const root = rootByDefinition(tree);
    assert.deepEqual(await ask('docket.tree_root($1)', size), root, `root of ${String(size)}`);
    for (const index of new Set([0, size >> 1, size - 1, randomInt(size)])) {
      const proof = await ask<Buffer[]>('docket.inclusion_proof($1, $2)', index, size);
      assert.deepEqual(proof, pathByDefinition(index, tree), `leaf ${String(index)} of ${String(size)}`);
    }
    for (const from of new Set([...edges.filter((edge) => edge <= size), randomInt(1, size + 1)])) {
      const proof = await ask<Buffer[]>('docket.consistency_proof($1, $2)', from, size);
      assert.deepEqual(proof, consistencyByDefinition(from, tree), `${String(from)} to ${String(size)}`);
    }
    assert.deepEqual(await ask('docket.consistency_proof(0, $1)', size), []);
  }
  for (const index of [0, 5, 255, 256, last - 1, randomInt(last)]) {
    const { job_id, seq } = rows[index]!;
    assert.equal(await ask('docket.leaf_index($1, $2)', job_id, seq), String(index));
  }
});

test('a size or leaf that the tree has not is refused, and an event that is not sealed has no index', async () => {
  const { size } = await status();
  for (const expression of [
    `docket.tree_root(${size} + 1)`,
    'docket.tree_root(-1)',
    'docket.tree_root(null)',
    `docket.inclusion_proof(0, ${size} + 1)`,
    `docket.inclusion_proof(${size}, ${size})`,
    `docket.inclusion_proof(-1, ${size})`,
    `docket.inclusion_proof(null, ${size})`,
    'docket.inclusion_proof(0, 0)',
    `docket.consistency_proof(1, ${size} + 1)`,
    'docket.consistency_proof(2, 1)',
    'docket.consistency_proof(-1, 1)',
    'docket.consistency_proof(null, 1)',
  ]) {
    await refused('ZD055', ask(expression));
  }
  await recordEvents(db, 1);
  const job = await ask<string>(
    '(select e.job_id from docket_audit.events e order by e.event_id desc limit 1)',
  );
  assert.equal(await ask('docket.leaf_index($1, 1)', job), null);
  assert.equal(await ask('docket.leaf_index($1, 2)', job), null);
  await sealAll(worker);
  assert.equal(await ask('docket.leaf_index($1, 1)', job), size);
});

test('what 16 writers commit after delays, out of order, is sealed once each, by two sealers at a time', async () => {
  const before = (await leaves(db)).length;
  const writers = new pg.Pool({ connectionString: database.url(), max: 16 });
  database.beforeDrop(() => writers.end());
  let isOver = false;
  const write = async () => {
    for (let round = 0; round < 25; round += 1) {
      const client = await writers.connect();
      await client.query('begin');
      await recordEvents(client, randomInt(1, 4));
      // what the test is about: transactions that end in another order than they began
      await delay(randomInt(20));
      await client.query(randomInt(10) === 0 ? 'rollback' : 'commit');
      client.release();
    }
  };
  const seal = async () => {
    while (!isOver) await commands.sealEvents(worker, { limit: 50 });
  };
  const sealers = [seal(), seal()];
  await Promise.all(Array.from({ length: 16 }, write));
  isOver = true;
  await Promise.all(sealers);
  await sealAll(worker);
  const { rows } = await db.query<{ inversions: string }>(
    `select count(*) as inversions
     from (select event_id < lag(event_id) over (order by xid, event_id) as is_inverted from docket_audit.events) as e
     where is_inverted`,
  );
  assert.ok(Number(rows[0]!.inversions) > 0, 'numbers and transactions were in different orders');
  assert.ok((await leaves(db)).length > before + 300);
  await assertSealed();
  const hashes = (await leaves(db)).map((leaf) => leaf.hash);
  assert.deepEqual((await seals(db)).at(-1)!.root, rootByDefinition(hashes));
});

test('where nobody seals for seconds, that is said, with what to start', async () => {
  await recordEvents(db, 3, LONG_AGO);
  await eventually('no other test is in the way', async () => (await status()).blocker === null);
  const { code, unsealed_events, unsealed_for, remedy } = await status();
  assert.deepEqual([code, unsealed_events, remedy], ['SEAL_STALLED', '3', 'docket worker']);
  assert.match(unsealed_for!, /^00:01:/);
  await sealAll(worker);
  assert.equal((await status()).code, null);
});

test('a transaction that somebody left open in another database is named, and the command given ends it', async () => {
  const stranger = new pg.Client({ connectionString: database.url().replace(database.name, 'postgres') });
  const ended = new Promise((resolve) => stranger.once('end', resolve));
  stranger.on('error', () => undefined);
  await stranger.connect();
  await stranger.query('begin');
  const { rows } = await stranger.query<{ pid: number }>(
    'select pg_backend_pid() as pid, pg_current_xact_id()',
  );
  const { pid } = rows[0]!;
  await recordEvents(db, 2, LONG_AGO);
  await eventually(
    'the stranger is named',
    async () => (await status()).blocker === `process ${String(pid)} in database "postgres"`,
  );
  await commands.sealEvents(worker, { limit: 100 });
  const stalled = await status();
  assert.equal(stalled.code, 'SEAL_STALLED');
  assert.equal(stalled.unsealed_events, '2');
  assert.equal(stalled.remedy, `select pg_terminate_backend(${String(pid)})`);
  assert.ok(stalled.blocker_age, 'its age is told, at least as that of what waits');
  await db.query(stalled.remedy);
  await ended;
  await sealAll(worker);
  await assertSealed();
});

test('a forgotten prepared transaction is named with its database and age, and the command given ends it', async () => {
  const gid = `it's ${database.name}`;
  const client = await db.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  await client.query(`prepare transaction '${gid.replaceAll("'", "''")}'`);
  client.release();
  // left behind, it would outlive even the database
  database.beforeDrop(async () => {
    const { rows } = await db.query('select from pg_prepared_xacts where gid = $1', [gid]);
    if (rows.length > 0) await db.query(`rollback prepared '${gid.replaceAll("'", "''")}'`);
  });
  await recordEvents(db, 1, LONG_AGO);
  const blocker = `prepared transaction "${gid}" in database "${database.name}"`;
  await eventually('it is named', async () => (await status()).blocker === blocker);
  const stalled = await status();
  assert.equal(stalled.code, 'SEAL_STALLED');
  assert.match(stalled.blocker_age!, /^00:00:/);
  await db.query(stalled.remedy!);
  await sealAll(worker);
});

test('a database whose transactions are numbered from earlier than its seals, or on another server, is not sealed', async () => {
  for (const change of [
    `insert into docket_audit.seals (seal_no, epoch, xid_from, xid_to, events, size, peaks, root)
     select seal_no + 1, epoch, xid_to, '9000000000000', 1, size + 1, peaks, root
     from docket_audit.seals order by seal_no desc limit 1`,
    `insert into docket_audit.epochs (epoch, origin, first_event_id, first_size, system_identifier, begun_by, reason)
     select 2, 'elsewhere', 9000000000000, 0, system_identifier + 1, 'test', 'A test.' from docket_audit.epochs`,
  ]) {
    const client = await db.connect();
    try {
      await client.query('begin');
      await client.query(change);
      const [row] = await commands.sealStatus(client);
      assert.deepEqual([row!.code, row!.remedy], ['RECOVERY_NEEDED', 'docket recovery declare']);
      const error = await refused('ZD052', commands.sealEvents(client, { limit: 10 }));
      assert.match(error.hint!, /docket recovery declare/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
});

test('65,536 leaves make a tile of roots, and proofs pass through it', async () => {
  await recordEvents(db, 66_000);
  await sealAll(worker);
  const rows = await leaves(db);
  const hashes = rows.map((leaf) => leaf.hash);
  const { rows: tiles } = await db.query<{ hashes: Buffer; root: Buffer }>(
    'select hashes, root from docket_audit.tiles where tile_level = 1',
  );
  assert.equal(tiles.length, 1);
  assert.deepEqual(tiles[0]!.root, rootByDefinition(hashes.slice(0, 65_536)));
  const size = hashes.length;
  assert.deepEqual((await seals(db)).at(-1)!.root, rootByDefinition(hashes));
  assert.deepEqual(await ask('docket.tree_root($1)', size), rootByDefinition(hashes));
  for (const index of [0, 4_095, 4_096, 65_535, 65_536, randomInt(size)]) {
    assert.deepEqual(
      await ask('docket.inclusion_proof($1, $2)', index, size),
      pathByDefinition(index, hashes),
    );
  }
  for (const from of [1, 256, 4_096, 61_440, 65_535, 65_536, randomInt(1, size)]) {
    assert.deepEqual(
      await ask('docket.consistency_proof($1, $2)', from, size),
      consistencyByDefinition(from, hashes),
    );
  }
  const index = randomInt(size);
  assert.equal(await ask('docket.leaf_index($1, 1)', rows[index]!.job_id), String(index));
});
