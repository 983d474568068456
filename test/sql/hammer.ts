import assert from 'node:assert/strict';
import { randomInt, randomUUID, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { checkpointText, readCheckpoint, type Checkpoint } from '../../src/domain/checkpoint.ts';
import { eventHash } from '../../src/domain/event-hash.ts';
import { isConsistent, isIncluded } from '../../src/domain/merkle.ts';
import { isSignedBy, signatureLine } from '../../src/domain/signed-note.ts';
import { formatVerifierKey } from '../../src/domain/verifier-key.ts';
import { newKey } from '../domain/notes.ts';
import type { TestDatabase } from '../support/database.ts';
import { leaves, sealAll } from './log-stage.ts';
import { rootByDefinition } from './merkle-tree.ts';

const WRITERS = 8;
const READERS = 3;

/** An event as its writer knows it: the hash was computed outside, and the database acknowledged it. */
interface Acknowledged {
  readonly jobId: string;
  readonly hash: Buffer;
}

/** What was done, each without a failure. */
export interface Hammered {
  readonly events: number;
  readonly checkpoints: number;
  readonly inclusions: number;
  readonly consistencies: number;
}

/**
 * Writers record events in transactions that take a random while and sometimes roll back; a sealer seals; a signer signs a checkpoint
 * of each seal that it finds; and all the while readers draw checkpoints and acknowledged events, ask the database for proofs, and
 * verify them outside and in SQL. Throws at the first thing that does not hold.
 */
export async function hammer(database: TestDatabase, durationMs: number): Promise<Hammered> {
  const db = database.pool();
  const worker = database.pool('docket_worker');
  const writers = new pg.Pool({ connectionString: database.url(), max: WRITERS });
  database.beforeDrop(() => writers.end());
  const { rows } = await db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const log = newKey(rows[0]!.origin);
  const key = formatVerifierKey(log.key);
  const recorded: Acknowledged[] = [];
  const notes: string[] = [];
  const done = { inclusions: 0, consistencies: 0 };
  const end = performance.now() + durationMs;
  const isOver = () => performance.now() > end;

  const write = async () => {
    while (!isOver()) {
      const events = Array.from({ length: randomInt(1, 5) }, () => newEvent());
      const client = await writers.connect();
      await client.query('begin');
      await insert(client, events);
      // the load itself: transactions that end in another order than they began
      await delay(randomInt(15));
      const isKept = randomInt(10) > 0;
      await client.query(isKept ? 'commit' : 'rollback');
      client.release();
      if (isKept) recorded.push(...events);
    }
  };

  const seal = async () => {
    while (!isOver()) {
      if ((await commands.sealEvents(worker, { limit: 500 })).length === 0) await delay(5);
    }
  };

  const signNewest = async () => {
    const newest = await db.query<{ size: string; root: Buffer }>(
      'select size, root from docket_audit.seals order by seal_no desc limit 1',
    );
    const found = newest.rows[0];
    if (!found || (notes.length > 0 && readCheckpoint(notes.at(-1)!).size === BigInt(found.size))) return;
    const text = checkpointText(log.key.name, BigInt(found.size), found.root);
    notes.push(`${text}\n${signatureLine(log.key, sign(null, Buffer.from(text), log.privateKey))}`);
  };
  const signAll = async () => {
    while (!isOver()) {
      await signNewest();
      await delay(20);
    }
  };

  const read = async () => {
    while (!isOver()) {
      if (notes.length === 0 || recorded.length === 0) {
        await delay(5);
        continue;
      }
      const [one, other] = [drawn(notes), drawn(notes)].map((note) => readCheckpoint(note)) as [
        Checkpoint,
        Checkpoint,
      ];
      assert.ok(isSignedBy(one, log.key));
      await assertConsistent(db, one.size <= other.size ? [one, other] : [other, one]);
      done.consistencies += 1;
      if (await seenIncluded(db, drawn(recorded), one)) done.inclusions += 1;
      if (randomInt(20) === 0) await assertVerified(db, drawn(notes), key);
    }
  };

  await Promise.all([
    ...Array.from({ length: WRITERS }, write),
    ...Array.from({ length: READERS }, read),
    seal(),
    signAll(),
  ]);
  await sealAll(worker);
  await signNewest();

  const checkpoints = notes.map((note) => readCheckpoint(note));
  for (const [index, checkpoint] of checkpoints.entries()) {
    if (index > 0) await assertConsistent(db, [checkpoints[index - 1]!, checkpoint]);
  }
  const sealed = (await leaves(db)).map((leaf) => leaf.hash);
  const newest = checkpoints.at(-1)!;
  assert.equal(newest.size, BigInt(sealed.length));
  assert.deepEqual(newest.root, rootByDefinition(sealed));
  const hashes = sealed.map((hash) => hash.toString('hex')).sort();
  assert.deepEqual(
    hashes,
    recorded.map(({ hash }) => hash.toString('hex')).sort(),
    'what was acknowledged, once each',
  );
  return { events: recorded.length, checkpoints: notes.length, ...done };
}

interface NewEvent extends Acknowledged {
  readonly at: Date;
}

/** The first event of a job, hashed outside. */
function newEvent(): NewEvent {
  const [jobId, at] = [randomUUID(), new Date()];
  const atMicros = (BigInt(at.getTime()) - 946_684_800_000n) * 1000n;
  const of = {
    fromState: 'none',
    event: 'accepted',
    toState: 'accepted',
    actor: 'hammer',
    reason: 'A test.',
  };
  const hash = eventHash({
    jobId,
    seq: 1,
    ...of,
    atMicros,
    code: null,
    attempt: null,
    detail: '{}',
    prev: null,
  });
  return { jobId, hash, at };
}

async function insert(client: pg.PoolClient, events: readonly NewEvent[]): Promise<void> {
  await client.query(
    `insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, hash)
     select job_id, 1, 'none', 'accepted', 'accepted', at, 'hammer', 'A test.', hash
     from unnest($1::uuid[], $2::timestamptz[], $3::bytea[]) as n (job_id, at, hash)`,
    [
      events.map(({ jobId }) => jobId),
      events.map(({ at }) => at.toISOString()),
      events.map(({ hash }) => hash),
    ],
  );
}

async function assertConsistent(
  db: pg.Pool,
  [older, newer]: readonly [Checkpoint, Checkpoint],
): Promise<void> {
  const { rows } = await db.query<{ proof: Buffer[]; good: boolean }>(
    `select p.proof, docket_audit.is_consistent($1, $2, $3, $4, p.proof) as good
     from docket.consistency_proof($1, $2) as p (proof)`,
    [older.size, newer.size, older.root, newer.root],
  );
  const { proof, good } = rows[0]!;
  const why = `${String(older.size)} to ${String(newer.size)}`;
  assert.ok(good, why);
  assert.ok(isConsistent(older.size, newer.size, older.root, newer.root, proof), why);
}

/** Whether the event is in the tree of the checkpoint; it may have been sealed later. If it is there, it is proven. */
async function seenIncluded(db: pg.Pool, event: Acknowledged, checkpoint: Checkpoint): Promise<boolean> {
  const found = await db.query<{ index: string | null }>('select docket.leaf_index($1, 1) as index', [
    event.jobId,
  ]);
  const index = BigInt(found.rows[0]!.index ?? checkpoint.size);
  if (index >= checkpoint.size) return false;
  const { rows } = await db.query<{ proof: Buffer[] }>('select docket.inclusion_proof($1, $2) as proof', [
    index,
    checkpoint.size,
  ]);
  const why = `leaf ${String(index)} of ${String(checkpoint.size)}`;
  assert.ok(isIncluded(event.hash, index, checkpoint.size, rows[0]!.proof, checkpoint.root), why);
  return true;
}

async function assertVerified(db: pg.Pool, note: string, key: string): Promise<void> {
  const { rows } = await db.query<{ failed: string }>(
    'select sum(failed_count) as failed from docket.verify_checkpoint($1, $2)',
    [note, key],
  );
  assert.equal(rows[0]!.failed, '0', note);
}

function drawn<T>(values: readonly T[]): T {
  return values[randomInt(values.length)]!;
}
