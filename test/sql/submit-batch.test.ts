import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { jobIdOf } from '../../src/domain/job-id.ts';
import { createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';
import { submissionRow } from './submission-row.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const sender = stage.sender.pool;
await createSender(database, 'carrier-b');

interface Answer {
  row_no: number;
  delivery_id: string | null;
  job_id: string | null;
  code: string | null;
  message: string | null;
  hint: string | null;
  retry_after_seconds: number | null;
}

type Row = Record<string, unknown>;

async function submitBatch(rows: unknown): Promise<Answer[]> {
  const text = typeof rows === 'string' ? rows : JSON.stringify(rows);
  return (await sender.query<Answer>('select * from docket.submit_batch($1)', [text])).rows;
}

const jobOf = (one: Row) => jobIdOf(Buffer.from(String(one['sha256']), 'hex'));

async function countOf(table: string): Promise<number> {
  const { rows } = await stage.db.query<{ n: number }>(`select count(*)::int as n from docket.${table}`);
  return rows[0]!.n;
}

test('a good batch is delivered whole, each row answered by its number, delivery and job', async () => {
  const rows = Array.from({ length: 1000 }, () => submissionRow());
  const before = await countOf('deliveries');
  const answers = await submitBatch(rows);
  assert.deepEqual(
    answers.map(({ row_no: no, job_id: job, code }) => [no, job, code]),
    rows.map((one, at) => [at + 1, jobOf(one), null]),
  );
  assert.equal(await countOf('deliveries'), before + 1000);
  const { rows: stored } = await stage.db.query<{ delivery_id: string; sha256: string }>(
    `select delivery_id, encode(sha256, 'hex') as sha256 from docket.deliveries order by delivery_id`,
  );
  assert.deepEqual(
    answers.map(({ delivery_id: id }, at) => ({ delivery_id: id, sha256: rows[at]!['sha256'] })),
    stored.slice(-1000),
  );
});

test('rows that are refused are said so, each with the code and message of an insert, and hinder no other', async () => {
  const rows = Array.from({ length: 12 }, () => submissionRow());
  rows[0] = submissionRow({ sha256: 'abcd' });
  rows[4] = submissionRow({ source_id: 'carrier-b' });
  rows[5] = submissionRow({ document_kind: 'invoice' });
  rows[11] = submissionRow({ media_type: 'png' });
  const before = { deliveries: await countOf('deliveries'), jobs: await countOf('jobs') };
  const answers = await submitBatch(rows);
  assert.deepEqual(
    answers.map(({ row_no: no }) => no),
    rows.map((_, at) => at + 1),
  );
  const bad = answers.filter(({ code }) => code !== null);
  assert.deepEqual(
    bad.map(({ row_no: no, code, message }) => [no, code, message]),
    [
      [1, 'ZD011', 'sha256: has 2 bytes, a SHA-256 has 32'],
      [
        5,
        'ZD010',
        `source_id: "carrier-b" is not a source that login "${stage.sender.name}" may deliver for`,
      ],
      [6, 'ZD015', 'document_kind: "invoice" is not known'],
      [12, 'ZD018', 'media_type: "png" is not of the form type/subtype'],
    ],
  );
  assert.ok(bad.every(({ hint, delivery_id: delivery, job_id: job }) => hint && !delivery && !job));
  const good = answers.filter(({ code }) => code === null);
  assert.deepEqual(
    good.map(({ job_id: job }) => job),
    good.map(({ row_no: no }) => jobOf(rows[no - 1]!)),
  );
  assert.equal(await countOf('deliveries'), before.deliveries + 8);
  assert.equal(await countOf('jobs'), before.jobs + 8);
});

const MISSHAPEN: [unknown, RegExp][] = [
  [7, /^expected an object/],
  [null, /^expected an object/],
  [[], /^expected an object/],
  [submissionRow({ sha256: undefined }), /^sha256: is missing$/],
  [submissionRow({ locator: null }), /^locator: is missing$/],
  [submissionRow({ colour: 'red' }), /^colour: no column of a submission has this name$/],
  [submissionRow({ job_id: '1' }), /^job_id: no column/],
  [submissionRow({ sha256: 'zz' }), /^sha256: "zz" is not in hex digits$/],
  [submissionRow({ size_bytes: 'many' }), /^size_bytes: "many" is not a bigint$/],
  [submissionRow({ size_bytes: 1.5 }), /^size_bytes: "1.5" is not a bigint$/],
  [submissionRow({ captured_at: 'soon' }), /^captured_at: "soon" is not a timestamptz$/],
  [submissionRow({ document_date: '2026-02-30' }), /^document_date: "2026-02-30" is not a date$/],
  [submissionRow({ envelope: 'a%' }), /^envelope: is not in base64$/],
  [submissionRow({ media_type: 'image/\u0000' }), /./],
];

test('a row of another shape is refused by itself, as ZD078, and says which column is wrong', async () => {
  for (const [bad, message] of MISSHAPEN) {
    const good = submissionRow();
    const [first, second, third, ...none] = await submitBatch([submissionRow(), bad, good]);
    assert.equal(first?.code, null);
    assert.equal(second?.code, 'ZD078', JSON.stringify(bad));
    assert.match(second.message!, message);
    assert.match(second.hint!, /^Send the columns of docket\.submissions alone/);
    assert.equal(third?.job_id, jobOf(good));
    assert.deepEqual(none, []);
  }
  const text = JSON.stringify(submissionRow()).replace('"size_bytes":1', '"size_bytes":1,"size_bytes":2');
  assert.equal((await submitBatch(`[${text}]`))[0]?.code, 'ZD078');
});

test('what is not stated is what an insert leaves to the table, and what is stated is kept to the letter', async () => {
  const plain = submissionRow();
  const given = submissionRow({
    version: 'v1',
    document_date: '2026-01-31',
    document_kind: 'bill_of_lading',
    signer: { name: 'Ann', at: 'gate 4' },
    envelope: Buffer.from('signed').toString('base64'),
    encryption: 'external',
    scan_number: 77,
  });
  const [first, second] = await submitBatch([plain, given]);
  await sender.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     values ('carrier-a', $1, 'memory:x', 1, 'image/png', '2026-01-01T00:00:00Z')`,
    [randomHash()],
  );
  const { rows } = await stage.db.query<Row>(
    `select version, document_date::text, document_kind, signer::text, envelope, encryption, scan_number, size_bytes, captured_at
     from docket.deliveries
     where delivery_id in ($1, $2) or delivery_id = (select max(delivery_id) from docket.deliveries) order by delivery_id`,
    [first!.delivery_id, second!.delivery_id],
  );
  assert.deepEqual(rows[0], rows[2]);
  assert.deepEqual(
    [rows[1]!['version'], rows[1]!['document_date'], rows[1]!['document_kind'], rows[1]!['signer']],
    ['v1', '2026-01-31', 'bill_of_lading', '{"name":"Ann","at":"gate 4"}'],
  );
  assert.deepEqual(rows[1]!['envelope'], Buffer.from('signed'));
  assert.deepEqual([rows[1]!['encryption'], Number(rows[1]!['scan_number'])], ['external', 77]);
});

test('rows are tried few times, however many are refused', async () => {
  const nextNumber = async () => Number((await submitBatch([submissionRow()]))[0]!.delivery_id);
  const before = await nextNumber();
  const answers = await submitBatch(
    Array.from({ length: 200 }, () => submissionRow({ document_kind: 'postcard' })),
  );
  assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set(['ZD015']));
  // each row that was tried took a number, also where its statement failed at it
  const tried = (await nextNumber()) - before - 1;
  assert.ok(tried >= 200 && tried <= 800, `200 rows were tried ${String(tried)} times`);
});

test('a batch that is none, or too large, is refused whole', async () => {
  for (const bad of ['{}', '7', 'null']) {
    assert.match((await refused('ZD078', submitBatch(bad))).hint!, /^Send a JSON array/);
  }
  await refused('ZD078', sender.query('select * from docket.submit_batch(null)'));
  const before = await countOf('deliveries');
  const error = await refused('ZD078', submitBatch(Array.from({ length: 1001 }, () => submissionRow())));
  assert.match(error.message, /at most 1000, this one has 1001/);
  assert.equal(await countOf('deliveries'), before);
  assert.deepEqual(await submitBatch('[]'), []);
});

test('only senders may call it, and each delivers for its own sources alone', async () => {
  for (const role of ['docket_worker', 'docket_gateway']) {
    await refused('42501', database.pool(role).query(`select * from docket.submit_batch('[]')`));
  }
  const stranger = await createSender(database, 'carrier-c');
  const { rows } = await stranger.pool.query<Answer>('select * from docket.submit_batch($1)', [
    JSON.stringify([submissionRow()]),
  ]);
  assert.equal(rows[0]?.code, 'ZD010');
});
