import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { rootByDefinition } from './merkle-tree.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { worker, db } = stage;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');

/** Seals whatever there is; answers the leaves. */
async function seal(): Promise<Buffer[]> {
  await stage.deliver();
  await stage.admit();
  return eventually('everything is sealed', async () => {
    await commands.sealEvents(worker, { limit: 1000 });
    const { rows } = await db.query<{ hash: Buffer }>(
      'select hash from docket_audit.events order by xid, event_id',
    );
    const { rows: sealed } = await db.query<{ size: number }>(
      'select coalesce(max(size), 0)::integer as size from docket_audit.seals',
    );
    return sealed[0]!.size === rows.length && rows.map((row) => row.hash);
  });
}

/** A signed note by the specification, and by no code of Docket. */
function note(origin: string, size: number, root: Buffer, key = bytes): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const id = createHash('sha256')
    .update(`${origin}\n`)
    .update(Buffer.of(1))
    .update(key)
    .digest()
    .subarray(0, 4);
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n\u2014 ${origin} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

const record = (text: string) => commands.recordCheckpoint(worker, { note: text });
const claim = async (seconds = 0) => (await commands.claimCheckpoint(worker, { seconds, keptSize: null }))[0];

test('a checkpoint is recorded only as signed by a recorded key, for a root that the log had, and once', async () => {
  assert.equal(await claim(), undefined, 'nothing is sealed yet');
  const leaves = await seal();
  const head = (await claim())!;
  const { origin } = head;
  const root = rootByDefinition(leaves);
  assert.deepEqual(
    [head.size, head.root, head.is_due, head.recorded_note],
    [String(leaves.length), root, true, null],
  );
  const good = note(origin, leaves.length, root);
  await assert.rejects(record(good), { code: 'ZD053', message: /no recorded key/ });
  const [added] = await commands.addCheckpointKey(worker, { name: origin, publicKey: bytes });
  const id = createHash('sha256').update(`${origin}\n`).update(Buffer.of(1)).update(bytes).digest('hex');
  assert.equal(added!.key_id, id.slice(0, 8));
  await commands.addCheckpointKey(worker, { name: origin, publicKey: bytes });

  for (const [wrong, code] of [
    [note(origin, leaves.length, Buffer.alloc(32)), 'ZD054'],
    [note(origin, leaves.length + 1, root), 'ZD054'],
    [note(`${origin}/2`, leaves.length, root), 'ZD053'],
    [good.replace(root.toString('base64'), Buffer.alloc(32).toString('base64')), 'ZD053'],
    [good.replace('\n\n', '\n'), 'ZD053'],
    [note(origin, leaves.length, root, Buffer.alloc(32, 7)), 'ZD053'],
    // a second signature of the key that is not good: whoever verifies refuses it too
    [`${good}${good.slice(good.lastIndexOf('\u2014'), -5)}AA==\n`, 'ZD053'],
  ] as const) {
    await assert.rejects(record(wrong), { code }, wrong);
  }
  assert.deepEqual(await record(good), [{ epoch: 1, size: String(leaves.length) }]);
  // With a further line, such as of a witness: recorded once, it stays as it came first.
  await record(`${good}\u2014 witness.example/w1 ${Buffer.alloc(76, 1).toString('base64')}\n`);
  const { rows } = await db.query<{ note: string }>('select note from docket_audit.checkpoints');
  assert.deepEqual(rows, [{ note: good }]);
  assert.deepEqual([(await claim())!.is_due, (await claim())!.recorded_note], [false, good]);
});

test('a checkpoint is due once more is sealed and the last one is long enough ago', async () => {
  assert.equal((await claim())!.is_due, false);
  const leaves = await seal();
  assert.deepEqual([(await claim(3600))!.is_due, (await claim(0))!.is_due], [false, true]);
  assert.equal((await claim())!.size, String(leaves.length));
});

test('while somebody else asks at this moment there is no row of what is due, and nobody waits', async () => {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query(`select from docket.duties where duty = 'checkpoint' for update`);
    assert.equal(await claim(), undefined);
    assert.equal((await claim(3600))!.is_due, false, 'what is not due can be looked at');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a proof is answered hash by hash, in order', async () => {
  const { rows } = await db.query<{ hash: Buffer }>(
    'select hash from docket_audit.events order by xid, event_id',
  );
  const leaves = rows.map((row) => row.hash);
  // From one leaf to all: the siblings on the way up from the first (RFC 9162, 2.1.4).
  const proof = await commands.checkpointProof(worker, { from: '1', to: String(leaves.length) });
  let hash = leaves[0]!;
  for (const sibling of proof) {
    hash = createHash('sha256').update(Buffer.of(1)).update(hash).update(sibling.hash).digest();
  }
  assert.deepEqual(hash, rootByDefinition(leaves));
});

test('places keep what they took when they fail later, and lose a failure when they take the next', async () => {
  const say = (sizes: (string | null)[], failures: (string | null)[]) =>
    commands.noteCheckpointPlaces(worker, {
      epoch: 1,
      places: ['b', 'a'],
      kinds: ['bucket', 'file'],
      sizes,
      failures,
    });
  const places = async () =>
    (
      await db.query<{ place: string }>(
        'select place, kind, epoch, size::integer, failure, failed_at is null as is_well from docket_audit.checkpoint_places order by place',
      )
    ).rows.map((row) => Object.values(row).join(' '));
  await say([null, '2'], ['no way', null]);
  assert.deepEqual(await places(), ['a file 1 2  true', 'b bucket   no way false']);
  await say(['4', null], [null, 'full']);
  assert.deepEqual(await places(), ['a file 1 2 full false', 'b bucket 1 4  true']);
});

test('a key of another length, or under a name that is none of this log, is refused', async () => {
  const origin = (await claim())!.origin;
  await assert.rejects(commands.addCheckpointKey(worker, { name: origin, publicKey: bytes.subarray(1) }), {
    code: 'ZD053',
  });
  await assert.rejects(commands.addCheckpointKey(worker, { name: 'docket/other', publicKey: bytes }), {
    code: 'ZD053',
  });
});

test('who claims a checkpoint waits for the disk, though its session does not: seals before it are then there too', async () => {
  await seal();
  const client = await worker.connect();
  try {
    await client.query('begin');
    await client.query('set local synchronous_commit = off');
    await commands.claimCheckpoint(client, { seconds: 0, keptSize: null });
    const { rows } = await client.query<{ waits: string; writes: boolean }>(
      `select current_setting('synchronous_commit') as waits, pg_current_xact_id_if_assigned() is not null as writes`,
    );
    assert.deepEqual(rows, [{ waits: 'on', writes: true }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
