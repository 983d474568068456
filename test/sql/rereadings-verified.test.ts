import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { tamper } from './log-forger.ts';
import { RereadStage, reading } from './reread-stage.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const { db } = stage;

/** A document with three results: what was published first, what superseded that, and what is current. */
async function superseded(): Promise<string> {
  const job = await stage.published();
  await rereads.reread(job, { result: reading('The second reading of it') });
  await rereads.reread(job, { result: reading('The third reading of it') });
  return job;
}

/** The findings of a verification of the document alone, each with what is expected and found. */
async function findings(job: string): Promise<string[]> {
  const rows = await commands.verifyDocument(db, { jobId: job });
  return rows
    .filter((row) => Number(row.failed_count) > 0)
    .map((row) => `${row.checked}: ${row.failed_count}`);
}

/** What a replay of the document finds in the tables. */
async function differences(job: string): Promise<string[]> {
  const { rows } = await db.query<{ checked: string }>('select checked from docket.stored_differences($1)', [
    job,
  ]);
  return rows.map((row) => row.checked);
}

/** The result that was published as the one of that number, from 1, as the events say. */
const RESULT = `(select decode(e.detail::json ->> 'result_sha256', 'hex') from docket_audit.events e
  where e.job_id = $1 and e.event in ('published', 'superseded') order by e.seq offset $2 limit 1)`;

const ATTACKS: [
  name: string,
  attack: (client: pg.PoolClient, job: string) => Promise<unknown>,
  found: string[],
][] = [
  [
    'an older result made the current one again',
    (client, job) =>
      client.query(
        `update docket.jobs j set result_sha256 = r.result_sha256, result_attempt = r.attempt
         from docket.results r where j.job_id = $1 and r.job_id = $1 and r.result_sha256 = ${RESULT}`,
        [job, 1],
      ),
    ['published results: 1'],
  ],
  [
    'a document shown as of another attempt',
    (client, job) =>
      client.query(
        `update docket.jobs j set result_attempt = r.attempt
         from docket.results r where j.job_id = $1 and r.job_id = $1 and r.result_sha256 = ${RESULT}`,
        [job, 0],
      ),
    ['published results: 1'],
  ],
  [
    'the text of a superseded result changed',
    (client, job) =>
      client.query(
        `update docket.pages set text = text || '.' where job_id = $1 and result_sha256 = ${RESULT}`,
        [job, 0],
      ),
    ['result hashes: 1'],
  ],
  [
    'a superseded result removed',
    async (client, job) => {
      await client.query(`delete from docket.pages where job_id = $1 and result_sha256 = ${RESULT}`, [
        job,
        1,
      ]);
      await client.query(`delete from docket.results where job_id = $1 and result_sha256 = ${RESULT}`, [
        job,
        1,
      ]);
    },
    ['superseded results: 1'],
  ],
  [
    'an event made to name another result as superseded',
    (client, job) =>
      client.query(
        `update docket_audit.events e set detail = jsonb_set(e.detail::jsonb, '{supersedes}', '"00"')::text
         where e.job_id = $1 and e.seq = (select max(l.seq) from docket_audit.events l where l.job_id = $1)`,
        [job],
      ),
    ['event hashes: 1', 'superseded results: 1'],
  ],
];

test('a document that was superseded twice is verified, and what was done to any of its results is found', async () => {
  const honest = await superseded();
  assert.deepEqual(await findings(honest), []);
  assert.deepEqual(await differences(honest), []);
  const rows = await commands.verifyDocument(db, { jobId: honest });
  const counts = Object.fromEntries(rows.map((row) => [row.checked, row.checked_count]));
  assert.deepEqual(
    [counts['result hashes'], counts['published results'], counts['superseded results']],
    ['3', '1', '2'],
  );
  for (const [name, attack, found] of ATTACKS) {
    const job = await superseded();
    await tamper(db, (client) => attack(client, job));
    assert.deepEqual(await findings(job), found, name);
    assert.ok((await differences(job)).includes('result'), `a replay finds: ${name}`);
    assert.deepEqual(await findings(honest), [], 'and of another document nothing');
  }
});

test('the threat model lists every one of these attacks', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/threat-model.md'), 'utf8');
  for (const [name, , found] of ATTACKS) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${name} |`));
    assert.ok(row?.includes(`\`${found.at(-1)!.split(':')[0]!}\``), `no row "| ${name} |" with its check`);
  }
});
