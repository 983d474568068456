// The tamper matrix of docs/threat-model.md: what a superuser can do to rows drawn at random, and what finds it. What no check in the
// database can find is in tampers-outside.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import {
  addBackdated,
  rechain,
  rehash,
  removeJob,
  removeNewest,
  reseal,
  retile,
  swap,
} from './log-forger.ts';
import { SealedStage, type Target } from './sealed-stage.ts';
import { both, sql, type Attack } from './tamper-attacks.ts';

const database = await createTestDatabase();
const sealed = await SealedStage.open(database);

const reword = (target: Target): Attack =>
  sql(`update docket_audit.events set reason = 'other' where event_id = $1`, [target.event_id]);

const named = ({ job_id, seq }: Pick<Target, 'job_id' | 'seq'>) => `${job_id} event ${String(seq)}`;

const job = sealed.pickJob('job');
const any = await sealed.pick('any', 'true');
const inner = await sealed.pick('inner', 'e.seq between 2 and 5 and e.job_id = any ($1)', [sealed.jobs]);
const last = await sealed.pick('last', `e.event = 'published'`);
const inTile = await sealed.pick('tile', 'docket.leaf_index(e.job_id, e.seq) < 256');
const fifth = await sealed.pick('fifth', 'docket.leaf_index(e.job_id, e.seq) = 4');
const newest = await sealed.pick('newest', 'e.event_id = (select max(event_id) from docket_audit.events)');
const first = await sealed.pick('first', `e.seq = 1 and e.job_id = '${job}'`);
const other = await sealed.pick('other', 'e.xid <> $1::text::xid8', [any.xid]);
const earlier = BigInt(any.xid) < BigInt(other.xid) ? any : other;
const checkpoint = (size: string) => `${sealed.key.origin} ${size}`;

/** Attacks, as the threat model calls them, and the finding that names what was attacked. */
const ATTACKS: [name: string, attack: Attack, finding: string][] = [
  ['an event reworded', reword(any), `event hashes: ${named(any)}`],
  [
    'an event backdated',
    sql(`update docket_audit.events set at = at - interval '1 hour' where event_id = $1`, [any.event_id]),
    `event hashes: ${named(any)}`,
  ],
  [
    'an event reworded, with its right hash',
    both(reword(inner), (client) => rehash(client, inner.job_id, inner.seq)),
    `chain links: ${named({ ...inner, seq: inner.seq + 1 })}`,
  ],
  [
    'the last event of a document reworded, with its right hash',
    both(reword(last), (client) => rehash(client, last.job_id, last.seq)),
    `job heads: ${last.job_id}`,
  ],
  [
    'an event reworded, with the right hashes to the end of its chain',
    both(reword(inTile), (client) => rechain(client, inTile.job_id, inTile.seq)),
    `tiles: ${named(inTile)}`,
  ],
  [
    'the same, with the tiles',
    both(reword(any), (client) => rechain(client, any.job_id, any.seq), retile),
    `seal roots: ${await sealed.sealOf(any)}`,
  ],
  [
    'the same, with tiles and seals',
    both(reword(any), (client) => rechain(client, any.job_id, any.seq), reseal),
    `checkpoints: ${checkpoint(await sealed.checkpointAfter(any))}`,
  ],
  [
    'the newest events removed',
    (client) => removeNewest(client, 3),
    `sealed events: ${await sealed.sealOf(newest)}`,
  ],
  [
    'a document removed from all tables',
    (client) => removeJob(client, job),
    `sealed events: ${await sealed.sealOf(first)}`,
  ],
  [
    'a document added to the past',
    (client) => addBackdated(client, any.event_id),
    `sealed events: ${await sealed.sealOf(any)}`,
  ],
  [
    'a document added under a number below those of the log',
    both(
      sql('alter table docket_audit.events alter column event_id set minvalue -9 restart with -7'),
      (client) => addBackdated(client, any.event_id),
    ),
    'sealed events: $ADDED event 1',
  ],
  [
    'a document added as of a transaction that is yet to come',
    both(
      (client) => addBackdated(client, any.event_id),
      sql(
        `update docket_audit.events set xid = '9000000000000000000' where event_id = (select max(event_id) from docket_audit.events)`,
      ),
    ),
    'sealed events: $ADDED event 1',
  ],
  [
    'two events swapped',
    (client) => swap(client, any.event_id, other.event_id),
    `seal roots: ${await sealed.sealOf(earlier)}`,
  ],
  [
    'the text of a result changed',
    sql(`update docket.pages set text = replace(text, 'good', 'food') where job_id = $1`, [job]),
    `result hashes: ${job}`,
  ],
  [
    'a document shown as of another attempt',
    sql('update docket.jobs set result_attempt = result_attempt - 1 where job_id = $1', [job]),
    `published results: ${job}`,
  ],
  [
    'a word of a page moved',
    sql(
      `update docket.pages set words = '[["Received in good order", 90, 1, 2, 30, 41]]' where job_id = $1`,
      [job],
    ),
    `result hashes: ${job}`,
  ],
  [
    'a row of evidence changed',
    sql(`update docket.evidence set captured_at = captured_at - interval '1 day' where job_id = $1`, [job]),
    `evidence: ${job}`,
  ],
  [
    'the root of a seal changed',
    sql('update docket_audit.seals set root = sha256(root) where seal_no = 2'),
    'seal roots: seal 2',
  ],
  [
    'the peaks of a seal changed',
    sql('update docket_audit.seals set peaks = sha256(peaks) where seal_no = 2'),
    'seal roots: seal 2',
  ],
  ['a seal removed', sql('delete from docket_audit.seals where seal_no = 2'), 'seals: seal 3'],
  [
    'a leaf in a tile changed',
    sql('update docket_audit.tiles set hashes = overlay(hashes placing sha256(hashes) from 129)'),
    `tiles: ${named(fifth)}`,
  ],
  [
    'the root of a tile changed',
    sql('update docket_audit.tiles set root = sha256(root)'),
    'tiles: tile 0 of level 0',
  ],
  [
    'the hashes half way up a tile changed',
    sql('update docket_audit.tiles set middle = overlay(middle placing sha256(middle) from 33)'),
    'tiles: tile 0 of level 0',
  ],
  ['a tile removed', sql('delete from docket_audit.tiles'), 'tiles: tile 0 of level 0'],
  [
    'a tile added',
    sql(
      'insert into docket_audit.tiles select 0, 9, root, middle, hashes from docket_audit.tiles where tile_no = 0',
    ),
    'tiles: tile 9 of level 0',
  ],
  [
    'what a recorded checkpoint states changed',
    sql(
      `update docket_audit.checkpoints set note = replace(note, E'\\n' || size || E'\\n', E'\\n' || size + 1 || E'\\n')`,
    ),
    `checkpoints: ${checkpoint(sealed.older.size)}`,
  ],
  [
    'the newest checkpoint signed by nobody',
    sql(`update docket_audit.checkpoints set note = regexp_replace(note, '.{8}\\n$', E'AAAAAAA=\\n')`),
    `checkpoint signatures: ${checkpoint(sealed.newest.size)}`,
  ],
  [
    'the newest checkpoint made unreadable',
    sql('update docket_audit.checkpoints set note = size::text'),
    `checkpoint signatures: ${checkpoint(sealed.newest.size)}`,
  ],
  [
    'the key of the checkpoints replaced',
    sql('update docket_audit.checkpoint_keys set public_key = sha256(public_key)'),
    `checkpoint signatures: ${checkpoint(sealed.newest.size)}`,
  ],
  [
    'a step added to the state machine',
    sql(
      `insert into docket.job_transitions values ('published', 'unpublished', 'accepted', 'docket_app', false, null, 'No.')`,
    ),
    'state machine: published unpublished',
  ],
  [
    'a step of the state machine given to another role',
    sql(
      `update docket.job_transitions set actor_role = 'docket_app' where from_state = 'published' and event = 'disposed'`,
    ),
    'state machine: published disposed',
  ],
  [
    'an OCR configuration changed',
    sql(`update docket.ocr_versions set gates = '{"unknown": {"min_confidence": 0}}' where ocr_version = 1`),
    'OCR configurations: 1',
  ],
  [
    'an OCR configuration that nobody added',
    sql(`insert into docket.ocr_versions (reason, added_by) values ('quietly', 'nobody')`),
    'OCR configurations: 2',
  ],
  [
    'an epoch that nobody declared',
    sql(
      `insert into docket_audit.epochs (epoch, origin, first_event_id, first_size, system_identifier, begun_by, reason)
       select 2, origin || '/2', 1000000, 1000, system_identifier, 'dba', 'No.' from docket_audit.epochs`,
    ),
    'epochs: epoch 2',
  ],
  [
    'a foreign key behind the guards switched off',
    sql(
      `do $$ declare r record; begin
         for r in select tgname from pg_trigger t join pg_constraint c on c.oid = t.tgconstraint
           where c.conname = 'events__step_is_in_the_state_machine' and t.tgrelid = 'docket_audit.events'::regclass
         loop execute format('alter table docket_audit.events disable trigger %I', r.tgname); end loop;
       end $$`,
    ),
    'guards: the foreign key events__step_is_in_the_state_machine',
  ],
];

test('nothing is found in a log that nobody changed, and there is something of everything', async (t) => {
  t.diagnostic(`TEST_SEED=${sealed.seed}`);
  const rows = await sealed.verify();
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0' || row.first_offender !== null || row.found !== null),
    [],
  );
  const counts = Object.fromEntries(rows.map((row) => [row.checked, Number(row.checked_count)]));
  const { rows: has } = await sealed.db.query<Record<string, string>>(
    `select (select count(*) from docket_audit.events) as events, (select count(*) from docket_audit.seals) as seals,
       (select count(*) from docket_audit.tiles) as tiles`,
  );
  assert.deepEqual(
    [counts['event hashes'], counts['sealed events'], counts['seal roots'], counts['tiles']].map(String),
    [has[0]!['events'], has[0]!['events'], has[0]!['seals'], has[0]!['tiles']],
  );
  assert.deepEqual([counts['checkpoints'], counts['checkpoint signatures']], [2, 1]);
});

for (const [name, attack, finding] of ATTACKS) {
  test(`found in the database: ${name}`, async () => {
    const findings = await sealed.afterAttack(attack, async (client) => {
      const { rows } = await client.query<{ job_id: string }>(
        `select job_id from docket.jobs where sha256 = sha256('backdated')`,
      );
      return (await sealed.findings(client)).map((found) =>
        found.replace(rows[0]?.job_id ?? '$ADDED', '$ADDED'),
      );
    });
    assert.ok(findings.includes(finding), `"${finding}" is not among\n  ${findings.join('\n  ')}`);
  });
}

test('found in the database: a guard switched off', async () => {
  const client = await sealed.db.connect();
  try {
    await client.query('begin');
    await client.query('alter table docket_audit.events disable trigger _300_step_is_legal');
    assert.deepEqual(await sealed.findings(client), [
      'guards: the guard _300_step_is_legal of docket_audit.events',
    ]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('the threat model lists every attack of this matrix', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/threat-model.md'), 'utf8');
  for (const [name, , finding] of ATTACKS) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${name} |`));
    assert.ok(row?.includes(`\`${finding.split(':')[0]!}\``), `no row "| ${name} |" with its check`);
  }
});
