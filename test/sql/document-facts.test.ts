import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const ofA = await createLogin(database, 'docket_analyst');
await commands.addSourceReader(database.pool(), { sourceId: 'carrier-a', login: ofA.name });
const stranger = await createLogin(database, 'docket_analyst');
const operator = await createLogin(database, 'docket_operator');
const owner = await createLogin(database, 'docket_evidence_owner');
const auditor = await createLogin(database, 'docket_auditor');

async function rows(login: { pool: pg.Pool }, text: string, values: unknown[] = []) {
  const result = await login.pool.query<Record<string, unknown>>(text, values);
  return result.rows;
}

test('reasons, details and hashes of events are for the roles that answer for them', async () => {
  const job = await stage.quarantined();
  const read = (login: Login, columns: string) =>
    rows(login, `select ${columns} from docket_api.events where document_id = $1 and event = 'quarantined'`, [
      job,
    ]);
  const [event] = await rows(
    { pool: stage.db },
    `select reason, detail::json as detail, encode(hash, 'hex') as hash from docket_audit.events
     where job_id = $1 and event = 'quarantined'`,
    [job],
  );
  assert.deepEqual(await read(auditor, 'reason, detail, hash'), [event]);
  assert.deepEqual(await read(owner, 'reason, detail'), [
    { reason: event!['reason'], detail: event!['detail'] },
  ]);
  assert.deepEqual(await read(operator, 'reason'), [{ reason: event!['reason'] }]);
  for (const [login, column] of [
    [owner, 'hash'],
    [operator, 'detail'],
    [operator, 'hash'],
    [ofA, 'reason'],
    [ofA, 'detail'],
    [ofA, 'hash'],
  ] as const) {
    await refused('42501', read(login, column));
  }
});

test('a result is shown with its engine and figures, its hash to auditors alone', async () => {
  const job = await stage.published();
  const query = `select attempt, engine, pages_declared, pages_decoded, page_count, characters, confidence
    from docket_api.results where document_id = $1`;
  const figures = {
    attempt: 2,
    engine: 'none',
    pages_declared: 1,
    pages_decoded: 1,
    page_count: 1,
    characters: 19,
    confidence: 90,
  };
  for (const login of [ofA, owner, auditor]) assert.deepEqual(await rows(login, query, [job]), [figures]);
  assert.deepEqual(await rows(stranger, query, [job]), []);
  const hash = 'select result_sha256 from docket_api.results where document_id = $1';
  const sha256 = ((await stage.job(job))['result_sha256'] as Buffer).toString('hex');
  assert.deepEqual(await rows(auditor, hash, [job]), [{ result_sha256: sha256 }]);
  for (const login of [ofA, owner]) await refused('42501', rows(login, hash, [job]));
});

test('the document names the result that its job has, though a later attempt brought the very same one', async () => {
  const open = await stage.running();
  await stage.record(open);
  assert.equal((await stage.job(open.job_id))['result_attempt'], open.attempt);
  await stage.fail(await stage.begin(open.job_id, 'publish'), 'CORRUPT');
  await rows(owner, `select docket.release_quarantined(array[$1::uuid], 'try again')`, [open.job_id]);
  await stage.admit();
  await stage.verify(await stage.begin(open.job_id, 'hash'));
  await stage.record(await stage.begin(open.job_id, 'ocr'));
  assert.equal((await stage.job(open.job_id))['result_attempt'], open.attempt);
  assert.deepEqual(
    await rows(ofA, 'select page_count, confidence from docket_api.documents where document_id = $1', [
      open.job_id,
    ]),
    [{ page_count: 1, confidence: 90 }],
  );
});

test('a quarantined document says why, and no longer once it is released', async () => {
  const job = await stage.quarantined();
  const query = 'select state, failure_code from docket_api.documents where document_id = $1';
  assert.deepEqual(await rows(ofA, query, [job]), [{ state: 'quarantined', failure_code: 'CORRUPT' }]);
  await rows(owner, `select docket_api.release_from_quarantine(array[$1::uuid], 'looked at it')`, [job]);
  assert.deepEqual(await rows(ofA, query, [job]), [{ state: 'accepted', failure_code: null }]);
});

test('a published document is withheld until the active rules have redacted this very result', async () => {
  const job = await stage.published();
  const query = 'select is_withheld from docket_api.documents where document_id = $1';
  assert.deepEqual(await rows(ofA, query, [job]), [{ is_withheld: true }]);
  const redact = (attempt: string, ruleSet = 'docket.active_rule_set()') =>
    stage.db.query(
      `insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
       select ${ruleSet}, job_id, ${attempt}, 1, 0, now() from docket.jobs where job_id = $1`,
      [job],
    );
  await redact('result_attempt + 1');
  assert.deepEqual(await rows(ofA, query, [job]), [{ is_withheld: true }]);
  await redact('result_attempt');
  assert.deepEqual(await rows(ofA, query, [job]), [{ is_withheld: false }]);
  const running = await stage.running();
  assert.deepEqual(await rows(ofA, query, [running.job_id]), [{ is_withheld: false }]);
});
