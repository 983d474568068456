// What no check in the database can find, since everything in it was made to fit; and that a copy of a checkpoint, or the hash that a
// receipt states, shows it. The second half of the matrix of docs/threat-model.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { addBackdated, rechain, recheckpoint, removeJob, removeNewest, reseal, swap } from './log-forger.ts';
import { recordEvents } from './log-stage.ts';
import { NoteKey } from './note-key.ts';
import { failures, SealedStage } from './sealed-stage.ts';

const database = await createTestDatabase();
const sealed = await SealedStage.open(database);

type Attack = (client: pg.PoolClient) => Promise<unknown>;

const job = sealed.pickJob('job');
const counted = 'docket.leaf_index(e.job_id, e.seq) < $1::bigint';
const any = await sealed.pick('any', counted, [sealed.older.size]);
const other = await sealed.pick('other', `${counted} and e.xid <> $2::text::xid8`, [
  sealed.older.size,
  any.xid,
]);
const published = await sealed.pick('published', `e.event = 'published' and e.job_id = '${job}'`);

/** Seals the log anew as it is now, and signs it by a key of the forger's own. */
const coverUp: Attack = async (client) => {
  await reseal(client);
  await recheckpoint(client, new NoteKey(sealed.key.origin));
};

const reword: Attack = async (client) => {
  await client.query(`update docket_audit.events set reason = 'other' where event_id = $1`, [any.event_id]);
  await rechain(client, any.job_id, any.seq);
};

/** What the holder of a checkpoint and of the key of its log finds. */
const ofCheckpoint = async (client: commands.Queryable, note: string) =>
  failures(await commands.verifyCheckpoint(client, { note, publicKey: sealed.key.text }));

/** Whether the log still has the event whose hash a receipt states. */
const hasHash = async (client: commands.Queryable, { hash }: { hash: Buffer }) =>
  (await client.query('select from docket_audit.events where hash = $1', [hash])).rows.length > 0;

/** Attacks after which everything in the database fits, as the threat model calls them. */
const ATTACKS: [name: string, attack: Attack][] = [
  ['an event reworded, and everything made to fit', reword],
  ['the newest events removed, and everything made to fit', (client) => removeNewest(client, 3)],
  ['a document removed, and everything made to fit', (client) => removeJob(client, job)],
  [
    'a document added to the past, and everything made to fit',
    (client) => addBackdated(client, any.event_id),
  ],
  ['two events swapped, and everything made to fit', (client) => swap(client, any.event_id, other.event_id)],
];

test('a checkpoint from outside fits a log that nobody changed', async (t) => {
  t.diagnostic(`TEST_SEED=${sealed.seed}`);
  for (const { note } of [sealed.older, sealed.newest]) {
    assert.deepEqual(await ofCheckpoint(sealed.db, note), []);
  }
});

for (const [name, attack] of ATTACKS) {
  test(`found by a checkpoint from outside alone: ${name}`, async () => {
    const [inside, outside] = await sealed.afterAttack(
      async (client) => {
        await attack(client);
        await coverUp(client);
      },
      async (client) => [await sealed.findings(client), await ofCheckpoint(client, sealed.newest.note)],
    );
    assert.deepEqual(inside, []);
    assert.deepEqual(outside, [`checkpoint root: the log at ${sealed.newest.size} leaves`]);
  });
}

test('found by a receipt too: an event that it names reworded or removed, and everything made to fit', async () => {
  const rewordPublished: Attack = async (client) => {
    await client.query(`update docket_audit.events set reason = 'other' where event_id = $1`, [
      published.event_id,
    ]);
    await rechain(client, published.job_id, published.seq);
  };
  assert.equal(await hasHash(sealed.db, published), true);
  for (const attack of [rewordPublished, (client: pg.PoolClient) => removeJob(client, job)]) {
    const [inside, isThere] = await sealed.afterAttack(
      async (client) => {
        await attack(client);
        await coverUp(client);
      },
      async (client) => [await sealed.findings(client), await hasHash(client, published)],
    );
    assert.deepEqual([inside, isThere], [[], false]);
  }
});

test('found by a receipt alone: an event reworded before it was sealed', async () => {
  let told = Buffer.alloc(0) as Buffer;
  const [inside, outside, isThere] = await sealed.afterAttack(
    async (client) => {
      const fresh = await accept(client);
      told = fresh.hash;
      await client.query(`update docket_audit.events set reason = 'other' where job_id = $1`, [fresh.job_id]);
      await rechain(client, fresh.job_id);
      await client.query('select docket.make_seal($1, null)', [await nextXid(client)]);
    },
    async (client) => [
      await sealed.findings(client),
      await ofCheckpoint(client, sealed.newest.note),
      await hasHash(client, { hash: told }),
    ],
  );
  assert.deepEqual([inside, outside, isThere], [[], [], false]);
});

/** Records the first event of a document, and answers the hash that a receipt states of it. */
async function accept(client: pg.PoolClient): Promise<{ job_id: string; hash: Buffer }> {
  await recordEvents(client, 1);
  const { rows } = await client.query<{ job_id: string; hash: Buffer }>(
    `with e as (select * from docket_audit.events order by event_id desc limit 1)
     insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
     select e.job_id, sha256('x'), 1, 'carrier-a', 'unknown', e.to_state, e.seq, e.hash, e.at, e.at from e
     returning job_id, head as hash`,
  );
  return rows[0]!;
}

async function nextXid(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ xid: string }>(
    `select (pg_current_xact_id()::text::bigint + 1)::text as xid`,
  );
  return rows[0]!.xid;
}

test('found by the copies outside alone: a recorded checkpoint removed; what it states still holds', async () => {
  const [inside, outside] = await sealed.afterAttack(
    (client) => client.query('delete from docket_audit.checkpoints where size = $1', [sealed.older.size]),
    async (client) => [await sealed.findings(client), await ofCheckpoint(client, sealed.older.note)],
  );
  assert.deepEqual([inside, outside], [[], []]);
});

test('found by the query for all signatures: that of an older checkpoint changed', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/audit-log.md'), 'utf8');
  const query = /```sql\n(select c\.epoch, c\.size\n[^`]+)```/.exec(text)![1]!;
  const [inside, found] = await sealed.afterAttack(
    (client) =>
      client.query(
        `update docket_audit.checkpoints set note = regexp_replace(note, '.{8}\\n$', E'AAAAAAA=\\n') where size = $1`,
        [sealed.older.size],
      ),
    async (client) => [
      await sealed.findings(client),
      (await client.query<{ size: string }>(query)).rows.map((row) => row.size),
    ],
  );
  assert.deepEqual([inside, found], [[], [sealed.older.size]]);
  assert.deepEqual((await sealed.db.query(query)).rows, []);
});

test('the threat model lists what only copies outside can show', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/threat-model.md'), 'utf8');
  for (const [name] of ATTACKS) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${name} |`));
    assert.match(row ?? name, /only outside/);
  }
});
