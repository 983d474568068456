import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { eventHash } from '../../src/domain/event-hash.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { amendOften, disposeOfSome, publishedForTwo } from './custody-of-many.ts';
import { page, result, Stage } from './stage.ts';
import { signMany } from './verify-signed.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const job = await stage.published();
for (let n = 0; n < 12; n += 1) await stage.published();
await stage.quarantined();
await stage.running();
await disposeOfSome(stage, 13);
/** A document that two sources see. */
const shared = await publishedForTwo(stage);
await amendOften(stage, shared, 13);
const signedJob = await signMany(stage, 14);

/** Everything that stands between a superuser and the tables. */
const DISARM = `
  alter table docket_audit.events disable trigger all;
  alter table docket.jobs disable trigger all;
  alter table docket.results disable trigger all;
  alter table docket.pages disable trigger all;
  alter table docket.evidence disable trigger all;
  alter table docket.deliveries disable trigger all;
  alter table docket.document_sources disable trigger all;
  alter table docket.signatures disable trigger all;
  alter table docket.job_salts disable trigger all;`;

/** What the checks say after an attack, as "check: how many failed, first offender"; the attack is undone. */
async function afterAttack(attack: (client: pg.PoolClient) => Promise<unknown>): Promise<string[]> {
  const client = await stage.db.connect();
  try {
    await client.query('begin');
    await client.query(DISARM);
    await attack(client);
    const rows = await commands.verifyAll(client);
    return (
      rows
        // that the guards are off is found too, whatever was done then
        .filter((row) => row.failed_count !== '0' && row.checked !== 'guards')
        .map((row) => `${row.checked}: ${row.failed_count}, ${String(row.first_offender)}`)
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const sql =
  (statement: string, values: unknown[] = [job]) =>
  (client: pg.PoolClient) =>
    client.query(statement, values);

/** Rewrites one event of the job and gives it the right hash of its new bytes, as a forger would. */
const forge =
  (seq: number, change: { reason?: string; event?: string }, andHead = false) =>
  async (client: pg.PoolClient) => {
    const { rows } = await client.query<Record<string, never>>(
      `select *, ((extract(epoch from at) - 946684800) * 1000000)::bigint as micros
       from docket_audit.events where job_id = $1 and seq = $2`,
      [job, seq],
    );
    const row = rows[0]!;
    const event = change.event ?? row['event']!;
    const reason = change.reason ?? row['reason']!;
    const hash = eventHash({
      jobId: job,
      seq,
      fromState: row['from_state']!,
      event,
      toState: row['to_state']!,
      atMicros: BigInt(row['micros']!),
      actor: row['actor']!,
      reason,
      code: row['code']!,
      attempt: row['attempt']!,
      detail: row['detail']!,
      prev: row['prev']!,
    });
    await client.query(
      'update docket_audit.events set event = $3, reason = $4, hash = $5 where job_id = $1 and seq = $2',
      [job, seq, event, reason, hash],
    );
    if (andHead) await client.query('update docket.jobs set head = $2 where job_id = $1', [job, hash]);
  };

test('an honest database has something to check everywhere, and no check fails', async () => {
  // What was sealed is tampered with in tamper-matrix.test.ts; here nothing is sealed yet, and nothing replayed, read again or added.
  const absent = [
    'superseded results',
    'disputes',
    'OCR configurations',
    'seals',
    'sealed events',
    'seal roots',
    'tiles',
    'epochs',
    'checkpoints',
    'checkpoint signatures',
  ];
  const all = await commands.verifyAll(stage.db);
  for (const row of all) assert.deepEqual([row.failed_count, row.first_offender], ['0', null], row.checked);
  const rows = all.filter((row) => !absent.includes(row.checked));
  assert.deepEqual(rows.map((row) => row.checked).sort(), [
    'amendments',
    'chain links',
    'disposed documents',
    'document sources',
    'event hashes',
    'evidence',
    'guards',
    'job heads',
    'published results',
    'result hashes',
    'sequence gaps',
    'signatures',
    'state machine',
    'steps',
  ]);
  for (const row of rows) assert.ok(Number(row.checked_count) >= 13, row.checked);
});

/** Attack, and the findings it must lead to, each with the first offender. Events 1 to 6 lead to published. */
const ATTACKS: [name: string, attack: (client: pg.PoolClient) => Promise<unknown>, findings: string[]][] = [
  [
    'an event whose actor was changed',
    sql(`update docket_audit.events set actor = 'somebody' where job_id = $1 and seq = 4`),
    [`event hashes: 1, ${job} event 4`],
  ],
  [
    'an event that was moved in time by a microsecond',
    sql(`update docket_audit.events set at = at - interval '1 microsecond' where job_id = $1 and seq = 2`),
    [`event hashes: 1, ${job} event 2`],
  ],
  [
    'two reworded events, of which the first is named',
    sql(`update docket_audit.events set reason = 'other' where job_id = $1 and seq in (2, 5)`),
    [`event hashes: 2, ${job} event 2`],
  ],
  ['a reworded event with its right hash', forge(3, { reason: 'other' }), [`chain links: 1, ${job} event 4`]],
  ['the last event reworded with its right hash', forge(6, { reason: 'other' }), [`job heads: 1, ${job}`]],
  [
    'the last event replaced by a step that the machine does not know, with hash and head',
    forge(6, { event: 'extracted' }, true),
    [`steps: 1, ${job} event 6`, `published results: 1, ${job}`],
  ],
  [
    'an event removed from the middle',
    sql('delete from docket_audit.events where job_id = $1 and seq = 3'),
    [
      `chain links: 1, ${job} event 4`,
      `sequence gaps: 1, ${job} event 4`,
      `evidence: 1, ${job}`,
      `document sources: 1, ${job}`,
    ],
  ],
  [
    'the last event removed',
    sql('delete from docket_audit.events where job_id = $1 and seq = 6'),
    [`job heads: 1, ${job}`, `published results: 1, ${job}`],
  ],
  [
    'the state of a job changed',
    sql(`update docket.jobs set state = 'quarantined' where job_id = $1`),
    [`job heads: 1, ${job}`],
  ],
  [
    'a job removed, its events left',
    sql('delete from docket.jobs where job_id = $1'),
    [`job heads: 1, ${job}`, `evidence: 1, ${job}`],
  ],
  ['a page removed', sql('delete from docket.pages where job_id = $1'), [`result hashes: 1, ${job}`]],
  [
    'a published result removed with its pages',
    async (client) => {
      await client.query('delete from docket.pages where job_id = $1', [job]);
      await client.query('delete from docket.results where job_id = $1', [job]);
    },
    [`published results: 1, ${job}`],
  ],
  [
    'a salt removed',
    sql('delete from docket.job_salts where job_id = $1'),
    [`result hashes: 1, ${job}`, `evidence: 1, ${job}`, `document sources: 1, ${job}`],
  ],
  [
    'the hash of the evidence changed',
    sql(`update docket.evidence set sha256 = sha256('other') where job_id = $1`),
    [`result hashes: 1, ${job}`, `evidence: 1, ${job}`],
  ],
  [
    'the hash of a job changed',
    sql(`update docket.jobs set sha256 = sha256('other') where job_id = $1`),
    [`evidence: 1, ${job}`],
  ],
  [
    'the signer changed in the delivery',
    sql(`update docket.deliveries set signer = '{"name": "other"}' where job_id = $1`),
    [`evidence: 1, ${job}`, `document sources: 1, ${job}`],
  ],
  [
    'a source that sees a document without having shown its bytes',
    sql(`insert into docket.document_sources
         select job_id, 'carrier-b', 2, delivery_id, document_kind, document_date, captured_at, received_at, verified_at
         from docket.document_sources where job_id = $1`),
    [`document sources: 1, ${job}`],
  ],
  [
    'a source that no longer sees what it delivered',
    sql(`delete from docket.document_sources where source_id = 'carrier-b' and job_id = $1`, [shared]),
    [`document sources: 1, ${shared}`],
  ],
  [
    'the kind changed in what a further source states',
    sql(`update docket.document_sources set document_kind = 'terms' where ordinal = 2 and job_id = $1`, [
      shared,
    ]),
    [`document sources: 1, ${shared}`],
  ],
  [
    'the signer changed in the delivery of a further source',
    sql(
      `update docket.deliveries set signer = '{"name": "other"}' where source_id = 'carrier-b' and job_id = $1`,
      [shared],
    ),
    [`document sources: 1, ${shared}`],
  ],
  [
    'the evidence removed',
    sql('delete from docket.evidence where job_id = $1'),
    [`result hashes: 1, ${job}`, `evidence: 1, ${job}`],
  ],
];

const SIGNATURE_ATTACKS: [name: string, statement: string][] = [
  ['a broken signature said to be valid', `update docket.signatures set status = 'valid' where job_id = $1`],
  [
    'another signer in the report of a signature, and in its column',
    `update docket.signatures set signer = 'CN=X', report = replace(report, signer, 'CN=X') where job_id = $1`,
  ],
  ['one of two signatures removed', 'delete from docket.signatures where signature_no = 2 and job_id = $1'],
  [
    'a check that no event knows',
    'update docket.signatures set seq = 9 where job_id = $1 and signature_no = 2',
  ],
];

for (const [name, statement] of SIGNATURE_ATTACKS) {
  test(`found, by name: ${name}`, async () => {
    const [finding, ...others] = await afterAttack(sql(statement, [signedJob]));
    assert.match(finding ?? '', new RegExp(`^signatures: [12], ${signedJob}$`));
    assert.deepEqual(others, []);
  });
}

for (const [name, attack, findings] of ATTACKS) {
  test(`found, by name: ${name}`, async () => {
    assert.deepEqual((await afterAttack(attack)).sort(), findings.sort());
  });
}

test('another result put in the place of the published one is found', async () => {
  const open = await stage.running();
  await stage.record(open, result({ pages: [page('first reading')], warnings: ['crc'] }));
  const owner = await createLogin(database, 'docket_evidence_owner');
  await owner.pool.query('select docket.release_quarantined(array[$1]::uuid[], $2)', [open.job_id, 'again']);
  await stage.admit();
  await stage.verify(await stage.begin(open.job_id, 'hash'));
  await stage.record(await stage.begin(open.job_id, 'ocr'), result({ pages: [page('second reading')] }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  const findings = await afterAttack(
    sql(
      `update docket.jobs j set result_sha256 = (
         select r.result_sha256 from docket.results r where r.job_id = j.job_id and r.result_sha256 <> j.result_sha256)
       where job_id = $1`,
      [open.job_id],
    ),
  );
  assert.deepEqual(findings, [`published results: 1, ${open.job_id}`]);
});

test('the checks work for an auditor, who can change nothing, and in a read-only transaction', async () => {
  const auditor = await createLogin(database, 'docket_auditor');
  const client = await auditor.pool.connect();
  try {
    await client.query('begin read only');
    const rows = await commands.verifyAll(client);
    assert.deepEqual(new Set(rows.map((row) => row.failed_count)), new Set(['0']));
    await client.query('commit');
  } finally {
    client.release();
  }
});
