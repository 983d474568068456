import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateFacts } from '../../src/cli/certificate/certificate-facts.ts';
import { jobStatus } from '../../src/cli/job-status.ts';
import { resultHistory } from '../../src/cli/result-history.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { reading, RereadStage } from './reread-stage.ts';

const database = await createTestDatabase();
const rereads = await RereadStage.open(database);
const { stage } = rereads;
const auditor = await createLogin(database, 'docket_auditor');
const reader = typedQueries(auditor.pool);
const analyst = await createLogin(database, 'docket_analyst');
await commands.addSourceReader(database.pool(), { sourceId: 'carrier-a', login: analyst.name });
const stranger = await createLogin(database, 'docket_analyst');
const owner = await createLogin(database, 'docket_evidence_owner');

/** Superseded once, by configuration 2. */
async function superseded(): Promise<string> {
  const job = await stage.published();
  assert.equal(await rereads.reread(job, { result: reading('Received in better order') }), 'superseded');
  return job;
}

interface Event {
  seq: number;
  event: string;
  at: string;
  result: string;
}

/** What the log says of results, read by itself. */
async function told(job: string): Promise<Event[]> {
  const { rows } = await stage.db.query<Event>(
    `select seq, event, replace(at::text, ' ', 'T') as at, detail::json ->> 'result_sha256' as result
     from docket_audit.events where job_id = $1 and event in ('published', 'superseded') order by seq`,
    [job],
  );
  return rows;
}

test('a document that was published once has one result, which is the current one', async () => {
  const job = await stage.published();
  const [published] = await told(job);
  const [only, ...others] = await resultHistory(reader, job);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [only!.seq, only!.event, only!.result_sha256, only!.is_current, only!.superseded_at, only!.supersedes],
    [published!.seq, 'published', published!.result, true, null, null],
  );
  assert.doesNotMatch((await jobStatus(reader, job)).text, /read again/);
});

test('of a superseded document both results are told: since when, until when, and which superseded which', async () => {
  const job = await superseded();
  const [first, second] = await told(job);
  const results = await resultHistory(reader, job);
  assert.deepEqual(
    results.map((one) => [one.seq, one.event, one.result_sha256, one.is_current, one.supersedes]),
    [
      [first!.seq, 'published', first!.result, false, null],
      [second!.seq, 'superseded', second!.result, true, first!.result],
    ],
  );
  assert.equal(results[0]!.superseded_at, results[1]!.published_at);
  assert.deepEqual(
    results.map((one) => [one.attempt, one.ocr_version, one.pages]),
    [
      [2, 1, 1],
      [4, 2, 1],
    ],
  );
  const { text, json } = await jobStatus(reader, job);
  assert.match(
    text,
    /^It was read again: an earlier result is superseded, and can still be cited by the hash\.$/m,
  );
  assert.match(
    text,
    new RegExp(`^${first!.result.slice(0, 16)} +2 +1 +1 +90 .*\\(event ${first!.seq}\\)`, 'm'),
  );
  assert.match(
    text,
    new RegExp(`^${second!.result.slice(0, 16)} +4 +2 +1 +90 .*\\(event ${second!.seq}\\) +now$`, 'm'),
  );
  assert.deepEqual((json as { results: unknown }).results, results);
  assert.equal((json as { result_sha256: string }).result_sha256, second!.result);
});

test('a result that comes back is current again, and counts as one each time', async () => {
  const job = await superseded();
  const [first] = await told(job);
  const config = stage.config;
  assert.equal(
    await rereads.reread(job, { config, result: reading('Received in good order') }, 1),
    'superseded',
  );
  const results = await resultHistory(reader, job);
  assert.deepEqual(
    results.map((one) => [one.result_sha256 === first!.result, one.attempt, one.is_current]),
    [
      [true, 2, false],
      [false, 4, false],
      [true, 2, true],
    ],
  );
  const { rows } = await analyst.pool.query(
    `select attempt, is_current, superseded_at is null as is_open from docket_api.results where document_id = $1 order by attempt`,
    [job],
  );
  assert.deepEqual(rows, [
    { attempt: 2, is_current: true, is_open: true },
    { attempt: 4, is_current: false, is_open: false },
  ]);
});

test('analysts see which result is current since when, and that one superseded another; not by whose order', async () => {
  const job = await superseded();
  const [first, second] = await told(job);
  const { rows } = await analyst.pool.query<Record<string, unknown>>(
    `select attempt, replace(published_at::text, ' ', 'T') as published_at, replace(superseded_at::text, ' ', 'T') as superseded_at, is_current
     from docket_api.results where document_id = $1 order by attempt`,
    [job],
  );
  assert.deepEqual(rows, [
    { attempt: 2, published_at: first!.at, superseded_at: second!.at, is_current: false },
    { attempt: 4, published_at: second!.at, superseded_at: null, is_current: true },
  ]);
  const events = await analyst.pool.query<{ event: string }>(
    `select event from docket_api.events where document_id = $1 order by seq desc limit 2`,
    [job],
  );
  assert.deepEqual(
    events.rows.map(({ event }) => event),
    ['superseded', 'published'],
  );
  const none = await stranger.pool.query('select from docket_api.results where document_id = $1', [job]);
  assert.equal(none.rows.length, 0);
  const course = 'select published_at, superseded_at, is_current from docket.course_of_result($1, 2)';
  await refused('42501', stranger.pool.query(course, [job]));
  await refused('42501', analyst.pool.query('select from docket.result_history'));
  const { rows: seen } = await owner.pool.query('select from docket.result_history where job_id = $1', [job]);
  assert.equal(seen.length, 2);
});

test('a result that was never published has no course', async () => {
  const job = await stage.deliver();
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
  await stage.record(await stage.begin(job, 'ocr'), reading('Received in good order'));
  const { rows } = await auditor.pool.query(
    'select published_at, superseded_at, is_current from docket_api.results where document_id = $1',
    [job],
  );
  assert.deepEqual(rows, [{ published_at: null, superseded_at: null, is_current: false }]);
  assert.deepEqual(await resultHistory(reader, job), []);
});

test('a certificate is of the current result, and names the ones before it by their hashes', async () => {
  const job = await superseded();
  const [first, second] = await told(job);
  const facts = await certificateFacts(reader, job, { madeAt: new Date('2026-11-30'), madeBy: 'docket' });
  assert.equal(facts.reading!.resultSha256, second!.result);
  assert.deepEqual(facts.reading!.superseded, [
    {
      resultSha256: first!.result,
      publishedAt: first!.at.replace(/\+00$/, 'Z'),
      supersededAt: second!.at.replace(/\+00$/, 'Z'),
    },
  ]);
});
