import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { rechain, reseal } from './log-forger.ts';
import { NoteKey } from './note-key.ts';
import { failures, SealedStage } from './sealed-stage.ts';

const database = await createTestDatabase();
const sealed = await SealedStage.open(database);
const auditor = await createLogin(database, 'docket_auditor');
const job = sealed.jobs[0]!;
const late = sealed.jobs.at(-1)!;
const { rows: roots } = await sealed.db.query<{ size: string; root: Buffer }>(
  'select size, root from docket_audit.seals order by seal_no',
);
const rootAt = (size: string) => roots.find((one) => one.size === size)!.root;

const facts = (rows: commands.VerifyAllRow[]) =>
  rows.map(({ checked, failed_count, first_offender, expected, found }) => [
    checked,
    failed_count,
    first_offender,
    expected,
    found,
  ]);

test('a document is checked with all its events, each proven to be in the log, and all that they name', async () => {
  const rows = await commands.verifyDocument(auditor.pool, { jobId: job });
  assert.deepEqual(
    rows.map((row) => [row.checked, row.checked_count, row.failed_count]),
    [
      ['document', '1', '0'],
      ['event hashes', '6', '0'],
      ['steps', '6', '0'],
      ['chain links', '6', '0'],
      ['sequence gaps', '6', '0'],
      ['job heads', '1', '0'],
      ['sealed events', '6', '0'],
      ['result hashes', '1', '0'],
      ['published results', '1', '0'],
      ['evidence', '1', '0'],
      ['document sources', '1', '0'],
      ['replay', '0', '0'],
    ],
  );
});

test('of a document that is not known nothing is claimed', async () => {
  const rows = await commands.verifyDocument(auditor.pool, { jobId: '00000000-0000-8000-8000-000000000001' });
  assert.deepEqual(failures(rows), ['document: 00000000-0000-8000-8000-000000000001']);
});

test('what is wrong with one document is found there, and with no other', async () => {
  const [own, others] = await sealed.afterAttack(
    async (client) => {
      await client.query(`update docket.pages set text = 'other' where job_id = $1`, [job]);
      await client.query(`update docket_audit.events set reason = 'other' where job_id = $1 and seq = 2`, [
        job,
      ]);
      await rechain(client, job, 2);
    },
    async (client) => [
      await commands.verifyDocument(client, { jobId: job }),
      await commands.verifyDocument(client, { jobId: late }),
    ],
  );
  assert.deepEqual(failures(own), [`sealed events: ${job} event 2`, `result hashes: ${job}`]);
  assert.deepEqual(failures(others), []);
  const result = own.find((row) => row.checked === 'result hashes')!;
  assert.notEqual(result.expected, result.found);
  const { result_sha256 } = await sealed.stage.job(job);
  assert.equal(result.expected, (result_sha256 as Buffer).toString('hex'));
});

test('an altered event is shown with the hash that it had and the one that it has', async () => {
  const altered = await sealed.afterAttack(
    (client) =>
      client.query(`update docket_audit.events set reason = 'other' where job_id = $1 and seq = 2`, [job]),
    (client) => commands.verifyDocument(client, { jobId: job }),
  );
  const { rows } = await sealed.db.query<{ hash: string; altered: string }>(
    `select encode(e.hash, 'hex') as hash,
       encode(docket_audit.event_leaf(e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, 'other', e.code,
         e.attempt, e.detail, e.prev), 'hex') as altered
     from docket_audit.events e where e.job_id = $1 and e.seq = 2`,
    [job],
  );
  const found = createHash('sha256').update(rows[0]!.altered, 'hex').digest('hex');
  assert.deepEqual(
    facts(altered).find(([checked]) => checked === 'event hashes'),
    ['event hashes', '1', `${job} event 2`, rows[0]!.hash, found],
  );
});

test('a checkpoint counts each event that was sealed before it, and says what it does not count', async () => {
  for (const seq of [1, 6]) {
    const rows = await commands.verifyInclusion(auditor.pool, { jobId: job, seq, note: sealed.older.note });
    assert.deepEqual(failures(rows), []);
    assert.deepEqual(
      rows.map((row) => row.checked),
      ['event hash', 'checkpoint form', 'inclusion'],
    );
  }
  const newer = await commands.verifyInclusion(auditor.pool, {
    jobId: late,
    seq: 6,
    note: sealed.older.note,
  });
  assert.deepEqual(failures(newer), [`inclusion: ${late} event 6`]);
  assert.match(newer[2]!.found ?? '', /^leaf \d+, which is newer$/);
  const none = await commands.verifyInclusion(auditor.pool, { jobId: job, seq: 7, note: sealed.older.note });
  assert.deepEqual(failures(none), [`event hash: ${job} event 7`, `inclusion: ${job} event 7`]);
});

test('a checkpoint of another root, another size, another log or none at all is told apart', async () => {
  const { key, newest } = sealed;
  const root = rootAt(newest.size);
  const wrong: [note: string, found: RegExp][] = [
    [
      key.note(newest.size, createHash('sha256').update('other').digest()),
      /^leaf \d+ of a log whose root was /,
    ],
    [key.note(Number(newest.size) - 1, root), /^leaf \d+ of a log whose root was /],
    [key.note(Number(newest.size) + 1, root), new RegExp(`^a log of ${newest.size} leaves$`)],
    [new NoteKey('docket/other').note(newest.size, root), /^no checkpoint$/],
    [newest.note.replaceAll('\n', '\r\n'), /^no checkpoint$/],
    ['', /^no checkpoint$/],
  ];
  for (const [note, found] of wrong) {
    const rows = await commands.verifyInclusion(auditor.pool, { jobId: job, seq: 1, note });
    assert.ok(failures(rows).includes(`inclusion: ${job} event 1`), note);
    assert.match(rows[2]!.found ?? '', found);
  }
});

test('an event that was reworded and chained anew is not what the checkpoint counts', async () => {
  const rows = await sealed.afterAttack(
    async (client) => {
      await client.query(`update docket_audit.events set reason = 'other' where job_id = $1 and seq = 2`, [
        job,
      ]);
      await rechain(client, job, 2);
    },
    (client) => commands.verifyInclusion(client, { jobId: job, seq: 2, note: sealed.newest.note }),
  );
  assert.deepEqual(failures(rows), [`inclusion: ${job} event 2`]);
});

test('a newer checkpoint goes on from every older one, and from nothing else', async () => {
  const { key, older, newest } = sealed;
  const verify = async (one: string, two: string) =>
    facts(await commands.verifyConsistency(auditor.pool, { olderNote: one, newerNote: two }));
  for (const { size, root } of roots) {
    const rows = await verify(key.note(size, root), newest.note);
    assert.deepEqual(
      rows.map(([checked, failed]) => [checked, failed]),
      [
        ['older checkpoint', '0'],
        ['newer checkpoint', '0'],
        ['consistency', '0'],
      ],
    );
  }
  const last = async (one: string, two: string) => (await verify(one, two))[2]!.slice(1);
  const other = createHash('sha256').update('other').digest();
  const at = `the log at ${newest.size} leaves`;
  assert.deepEqual(await last(key.note(older.size, other), newest.note), [
    '1',
    at,
    'consistent',
    `another root of ${older.size} leaves`,
  ]);
  assert.deepEqual(await last(older.note, key.note(newest.size, other)), [
    '1',
    at,
    'consistent',
    `another root of ${newest.size} leaves`,
  ]);
  assert.deepEqual(await last(newest.note, older.note), [
    '1',
    `the log at ${older.size} leaves`,
    'consistent',
    `an older checkpoint of more leaves: ${newest.size} before ${older.size}`,
  ]);
  assert.deepEqual(await last('nothing', newest.note), ['1', at, 'consistent', 'no two checkpoints']);
});

test('a log that was sealed anew in another order is not consistent with what was kept', async () => {
  const rows = await sealed.afterAttack(
    async (client) => {
      await client.query(`update docket_audit.events set xid = '3' where job_id = $1`, [late]);
      await reseal(client);
    },
    (client) =>
      commands.verifyConsistency(client, { olderNote: sealed.older.note, newerNote: sealed.newest.note }),
  );
  assert.deepEqual(failures(rows), [`consistency: the log at ${sealed.newest.size} leaves`]);
});
