import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { tamper } from './log-forger.ts';
import { leaves, recordEvents, sealAll, seals } from './log-stage.ts';
import { rootByDefinition } from './merkle-tree.ts';
import { NoteKey } from './note-key.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db, worker } = stage;
const operator = (await createLogin(database, 'docket_operator')).pool;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What the row and the event of a recovery have to agree on. */
interface Declared {
  epoch: number;
  origin: string;
  first_event_id: number;
  first_size: number;
  finding: string;
  lost_leaves: number | null;
}

async function deliver(count: number): Promise<string[]> {
  const jobs: string[] = [];
  for (let left = count; left > 0; left -= 1) jobs.push(await stage.deliver());
  return jobs;
}

/** The database as it is after a dump was restored into a younger server: what there is was recorded by later transactions. */
async function restore(): Promise<void> {
  await tamper(db, async (client) => {
    await client.query(`update docket_audit.events set xid = ((xid::text)::bigint + 1000000000)::text::xid8`);
    await client.query(
      `update docket_audit.seals
       set xid_to = ((xid_to::text)::bigint + 1000000000)::text::xid8,
         xid_from = case when xid_from = '0' then xid_from else ((xid_from::text)::bigint + 1000000000)::text::xid8 end`,
    );
  });
}

/** A checkpoint that a recorded key of the log signed, of whatever root. */
async function note(name: string, size: number, root: Buffer): Promise<string> {
  const key = new NoteKey(name);
  await commands.addCheckpointKey(worker, { name, publicKey: key.publicKey });
  return key.note(size, root);
}

async function origin(epoch: number): Promise<string> {
  const { rows } = await db.query<{ origin: string }>(
    'select origin from docket_audit.epochs where epoch = $1',
    [epoch],
  );
  return rows[0]!.origin;
}

async function newest(): Promise<{ epoch: number; size: number; root: Buffer }> {
  const last = (await seals(db)).at(-1)!;
  return { epoch: last.epoch, size: Number(last.size), root: last.root };
}

const declare = (checkpoint: string | null, reason = 'The disk died.') =>
  commands.declareRecovery(operator, { reason, lastCheckpoint: checkpoint });

/** Every event is sealed once, in the order of epochs, and the seals and job chains are whole. */
async function assertWhole(): Promise<void> {
  await sealAll(worker);
  const hashes = (await leaves(db)).map((leaf) => leaf.hash);
  let size = 0;
  for (const seal of await seals(db)) {
    size += Number(seal.events);
    assert.deepEqual(seal.root, rootByDefinition(hashes.slice(0, size)), `seal ${seal.seal_no}`);
  }
  assert.equal(size, hashes.length);
  const { rows } = await db.query<commands.VerifyLogRow>('select * from docket.verify_log()');
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0').map((row) => [row.checked, row.first_offender]),
    [],
  );
}

async function lastDeclared(
  client: pg.Pool = db,
): Promise<{ detail: Declared; reason: string; seq: number; hash: Buffer }> {
  const { rows } = await client.query<{ detail: string; reason: string; seq: number; hash: Buffer }>(
    `select detail, reason, seq, hash from docket_audit.events where job_id = $1 order by seq desc limit 1`,
    [NOBODY],
  );
  return { ...rows[0]!, detail: JSON.parse(rows[0]!.detail) as Declared };
}

beforeEach(async () => {
  await deliver(3);
  await sealAll(worker);
});

test('after a restore nothing is sealed until the recovery is declared, and then everything is, once', async () => {
  const { epoch, size, root } = await newest();
  const last = await note(await origin(epoch), size, root);
  const left = await deliver(2);
  await restore();
  const strays = await deliver(4);
  await refused('ZD052', commands.sealEvents(worker, { limit: 100 }));
  assert.equal((await commands.sealStatus(worker))[0]!.code, 'RECOVERY_NEEDED');

  const [row] = await declare(last);
  const first = await origin(1);
  assert.deepEqual(row, {
    epoch: epoch + 1,
    origin: `${first}/${String(epoch + 1)}`,
    // what was left of the old epoch is sealed with it
    size: String(size + left.length),
    checkpoint_size: String(size),
    lost_leaves: '0',
    finding: 'nothing',
  });
  await deliver(1);
  await assertWhole();
  const order = (await leaves(db)).map((leaf) => leaf.job_id);
  assert.deepEqual(order.slice(size, size + 2), left, 'what was left comes first');
  assert.deepEqual(
    order.slice(size + 2, size + 6).sort(),
    [...strays].sort(),
    'then what was recorded since',
  );
  const { detail, reason } = await lastDeclared();
  assert.equal(reason, 'The disk died.');
  assert.deepEqual(
    [detail.epoch, detail.origin, detail.first_size, detail.finding, detail.lost_leaves],
    [epoch + 1, row.origin, size + 2, 'nothing', 0],
  );
  const index = await db.query<{ index: string }>('select docket.leaf_index($1, 1) as index', [strays[0]]);
  assert.equal(index.rows[0]!.index, String(order.indexOf(strays[0]!)));
  assert.equal((await commands.sealStatus(worker))[0]!.code, null);
});

test('a second restore is declared like the first, in a chain of the log itself', async () => {
  const before = (await newest()).epoch;
  const { seq, hash } = await lastDeclared();
  await restore();
  await declare(null);
  const { rows } = await db.query<{ prev: Buffer }>(
    `select prev from docket_audit.events where job_id = $1 and seq = $2`,
    [NOBODY, seq + 1],
  );
  assert.deepEqual(rows[0]!.prev, hash);
  await assertWhole();
  assert.equal((await newest()).epoch, before + 1);
});

test('leaves that a checkpoint counts and the restored log has not are told', async () => {
  const { epoch, size } = await newest();
  const [row] = await declare(await note(await origin(epoch), size + 7, randomBytes(32)));
  assert.deepEqual([row!.finding, row!.lost_leaves, row!.checkpoint_size], ['lost', '7', String(size + 7)]);
  await assertWhole();
});

test('a checkpoint of other leaves than there are is told as a fork, and one of an earlier size is not', async () => {
  const { epoch, size } = await newest();
  const [forked] = await declare(await note(await origin(epoch), size, randomBytes(32)));
  assert.equal(forked!.finding, 'forked');
  const earlier = (await seals(db)).at(-3)!;
  const [same] = await declare(await note(await origin(earlier.epoch), Number(earlier.size), earlier.root));
  assert.equal(same!.finding, 'nothing');
  const [unknown] = await declare(null);
  assert.deepEqual(
    [unknown!.finding, unknown!.checkpoint_size, unknown!.lost_leaves],
    ['unknown', null, null],
  );
  await assertWhole();
});

test('a database whose numbers of events were not copied along goes on above them', async () => {
  await db.query(`select setval(pg_get_serial_sequence('docket_audit.events', 'event_id'), 1)`);
  await declare(null, 'Moved by logical replication.');
  await deliver(2);
  await assertWhole();
});

test('events that were slipped in among sealed ones are no work of a restore, and are refused', async () => {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query('alter table docket_audit.events disable trigger user');
    await client.query(
      `insert into docket_audit.events
         (event_id, xid, job_id, seq, from_state, event, to_state, at, actor, reason, hash)
       overriding system value
       select event_id, xid, gen_random_uuid(), 1, 'none', 'accepted', 'accepted', at, actor, reason, hash
       from docket_audit.events
       where event_id = (select min(event_id) from docket_audit.events
         where event_id >= (select max(first_event_id) from docket_audit.epochs))`,
    );
    await client.query('alter table docket_audit.events enable trigger user');
    const error = await refused(
      'ZD054',
      client.query(`select docket.declare_recovery('A forger says so.', null)`),
    );
    assert.match(error.message, /recorded among sealed ones/);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a recovery needs a reason, a checkpoint of this log or none, read committed, and an operator', async () => {
  const { size, root } = await newest();
  await refused('ZD021', declare(null, ' '));
  await refused('ZD053', declare('no note'));
  await refused('ZD054', declare(new NoteKey('docket/elsewhere').note(size, root)));
  await refused('42501', commands.declareRecovery(worker, { reason: 'x', lastCheckpoint: null }));
  const client = await operator.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await refused('ZD059', client.query(`select docket.declare_recovery('x', null)`));
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a checkpoint that no recorded key of the log signed says nothing of what was lost, and begins no epoch', async () => {
  const { epoch, size, root } = await newest();
  const name = await origin(epoch);
  const good = await note(name, size, root);
  const grown = good.replace(`\n${size}\n`, `\n${size + 1000}\n`);
  for (const forged of [new NoteKey(name).note(size + 1000, randomBytes(32)), grown]) {
    const { message } = await refused('ZD053', declare(forged));
    assert.equal(message, `checkpoint: no recorded key of "${name}" signed it`);
  }
  const { rows } = await db.query<{ epoch: number }>('select max(epoch) as epoch from docket_audit.epochs');
  assert.equal(rows[0]!.epoch, epoch);
  assert.equal((await declare(good))[0]!.finding, 'nothing');
});

test('an epoch is what its event declared, to the leaf', async () => {
  const { epoch, size, root } = await newest();
  await declare(await note(await origin(epoch), size, root));
  for (const change of [
    `origin = origin || 'x'`,
    'first_event_id = first_event_id + 1',
    'first_size = first_size - 1',
    `reason = 'Another.'`,
    `last_checkpoint = replace(last_checkpoint, '${root.toString('base64')}', '${Buffer.alloc(32).toString('base64')}')`,
    'last_checkpoint = null',
  ]) {
    const client = await db.connect();
    try {
      await client.query('begin');
      await client.query('alter table docket_audit.epochs disable trigger user');
      await client.query(`update docket_audit.epochs set ${change} where epoch = $1`, [epoch + 1]);
      const { rows } = await client.query<commands.VerifyLogRow>('select * from docket.check_epochs()');
      assert.deepEqual(
        [rows[0]!.failed_count, rows[0]!.first_offender],
        ['1', `epoch ${String(epoch + 1)}`],
        change,
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
});

test('a restore is told from the leaves although transactions are numbered from among those of the newest seal', async () => {
  await recordEvents(db, 100);
  await sealAll(worker);
  const { epoch, size, root } = await newest();
  const last = await note(await origin(epoch), size, root);
  // what completes a tile is left, and takes its first leaves from before the restore
  await recordEvents(db, 256);
  await tamper(db, async (client) => {
    await client.query(
      `update docket_audit.events set xid = (xid::text::bigint + 1000000000)::text::xid8
       where xid >= (select xid_from from docket_audit.seals order by seal_no desc limit 1)
         and event_id >= (select max(first_event_id) from docket_audit.epochs)`,
    );
    await client.query(
      `update docket_audit.seals set xid_to = (xid_to::text::bigint + 1000000000)::text::xid8
       where seal_no = (select max(seal_no) from docket_audit.seals)`,
    );
  });
  await deliver(4);
  const [row] = await declare(last);
  assert.deepEqual([row!.finding, row!.size], ['nothing', String(size + 256)]);
  await sealAll(worker);
  const { rows } = await db.query<commands.VerifyLogRow>(
    `select * from docket.check_tree() where failed_count > 0`,
  );
  assert.deepEqual(rows, []);
});
