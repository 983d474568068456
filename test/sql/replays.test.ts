import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { tamper } from './log-forger.ts';
import { refused } from './refused.ts';
import { ReplayStage } from './replay-stage.ts';
import { page, result } from './stage.ts';

const database = await createTestDatabase();
const replays = await ReplayStage.open(database);
const { stage } = replays;
const TWO_PAGES = result({
  pages_declared: 2,
  pages_decoded: 2,
  pages: [page('the first page of two'), page('the second page of two', { page_no: 2 })],
});

async function ofTwoPages(): Promise<string> {
  const open = await stage.running();
  await stage.record(open, TWO_PAGES);
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  return open.job_id;
}

test('a document that is what the log says passes, which is an event', async () => {
  const job = await stage.published();
  assert.deepEqual(await replays.replay(job), {
    outcome: 'passed',
    code: null,
    checks: ['packet', 'result', 'page_count', 'object', 'envelope'],
    findings: [],
  });
  const { event, actor, detail } = await stage.lastEvent(job);
  assert.deepEqual([event, actor, detail['findings']], ['replay_passed', 'docket_worker', 0]);
  assert.equal(await replays.isDisputed(job), false);
});

const OTHER = createHash('sha256').update('other bytes').digest('hex');
test('other bytes are a finding; the document is disputed until a replay passes', async () => {
  const job = await stage.published();
  const { sha256 } = await stage.job(job);
  const { outcome, findings } = await replays.replay(job, { code: 'HASH_MISMATCH', found: OTHER });
  assert.equal(outcome, 'failed');
  const expected = (sha256 as Buffer).toString('hex');
  assert.deepEqual(findings, [{ checked: 'object', page_no: null, expected, found: OTHER }]);
  assert.equal((await stage.lastEvent(job))['event'], 'replay_failed');
  assert.equal(await replays.isDisputed(job), true);
  assert.equal((await replays.replay(job)).outcome, 'passed');
  assert.equal(await replays.isDisputed(job), false);
});

test('a dispute that is hidden, or shown where there is none, is not what the log says', async () => {
  const job = await stage.published();
  const disputes = async () =>
    (await commands.verifyResults(stage.db)).find((row) => row.checked === 'disputes');
  await replays.replay(job, { code: 'HASH_MISMATCH', found: OTHER });
  assert.equal((await disputes())?.failed_count, '0');
  const { rows } = await stage.db.query<{ seq: number }>(
    'delete from docket.disputed_documents where job_id = $1 returning seq',
    [job],
  );
  const told = `disputed since event ${String(rows[0]?.seq)}`;
  const hidden = await disputes();
  assert.deepEqual(
    [hidden?.failed_count, hidden?.first_offender, hidden?.expected, hidden?.found],
    ['1', job, told, 'not disputed'],
  );
  await replays.replay(job);
  await stage.db.query(
    'insert into docket.disputed_documents (job_id, replay_id, seq, disputed_at) values ($1, 1, $2, now())',
    [job, rows[0]?.seq],
  );
  const shown = await disputes();
  assert.deepEqual(
    [shown?.failed_count, shown?.first_offender, shown?.expected, shown?.found],
    ['1', job, 'not disputed', told],
  );
  await stage.db.query('delete from docket.disputed_documents where job_id = $1', [job]);
});

test('what changed in the tables is named, whatever the worker brings', async () => {
  const attacks: [string, string, string | null][] = [
    [`update docket.pages set text = text || '.' where job_id = $1`, 'result', null],
    [`update docket.pages set words = '[["1",2,3,4,5,6]]' where job_id = $1 and page_no = 2`, 'result', null],
    [`delete from docket.pages where job_id = $1 and page_no = 2`, 'result,page_count', '1'],
    [`update docket.results set page_count = 3 where job_id = $1`, 'page_count', '2'],
    [`update docket.evidence set signer = '{"name": "another"}' where job_id = $1`, 'packet', null],
    [`update docket.evidence set media_type = 'image/gif' where job_id = $1`, 'packet', null],
    [
      `update docket.deliveries set captured_at = captured_at - interval '1 day' where job_id = $1`,
      'packet',
      null,
    ],
    [`delete from docket.evidence where job_id = $1`, 'packet,result', null],
    [`delete from docket.results where job_id = $1`, 'result,page_count', null],
    [`update docket.job_salts set salt = sha256(salt) where job_id = $1`, 'packet,packet,result', null],
  ];
  for (const [attack, checks, last] of attacks) {
    const job = await ofTwoPages();
    const replay = await replays.start(job);
    await replays.claim();
    await tamper(stage.db, (client) => client.query(attack, [job]));
    assert.equal(await replays.record(replay, job), 'failed', attack);
    const { findings } = await replays.outcome(replay, job);
    assert.equal(findings.map((one) => one.checked).join(), checks, attack);
    if (last !== null) assert.equal(findings.at(-1)!.found, last, attack);
  }
});

test('a document read anew must give the same result; the pages that differ are named by salted hashes', async () => {
  const job = await ofTwoPages();
  assert.deepEqual((await replays.replay(job, { reading: TWO_PAGES })).checks.at(-1), 'reading');
  const other = JSON.parse(TWO_PAGES) as { pages: Record<string, unknown>[]; warnings: string[] };
  other.pages[1]!['confidence'] = 89;
  const differs = await replays.replay(job, { reading: JSON.stringify(other) });
  assert.deepEqual(
    differs.findings.map(({ checked, page_no }) => [checked, page_no]),
    [['reading', 2]],
  );
  assert.match(
    `${differs.findings[0]!.expected!} ${differs.findings[0]!.found!}`,
    /^[0-9a-f]{64} [0-9a-f]{64}$/,
  );
  other.pages.pop();
  const shorter = await replays.replay(job, { reading: JSON.stringify(other) });
  assert.deepEqual(
    shorter.findings.map((one) => [one.page_no, one.found]),
    [[2, null]],
  );
  const warned = JSON.stringify({ ...(JSON.parse(TWO_PAGES) as object), warnings: ['a doubt'] });
  const doubtful = await replays.replay(job, { reading: warned });
  const { result_sha256 } = await stage.job(job);
  assert.deepEqual(
    doubtful.findings.map((one) => [one.page_no, one.expected]),
    [[null, (result_sha256 as Buffer).toString('hex')]],
  );
});

test('under another configuration the text is not read anew, which is said, and the rest counts', async () => {
  const job = await stage.published();
  const replay = await replays.start(job, true);
  const [claimed] = await replays.claim();
  assert.deepEqual(claimed!.published_config_sha256, stage.config);
  assert.equal(claimed!.seconds, 1800);
  await replays.record(replay, job);
  const { outcome, code, checks } = await replays.outcome(replay, job);
  assert.deepEqual([outcome, code, checks.includes('reading')], ['passed', 'OTHER_CONFIGURATION', false]);
});

test('what cannot be looked at is tried again, then counts as unchecked: no event, no dispute', async () => {
  const job = await stage.published();
  const events = await stage.events(job);
  const replay = await replays.start(job);
  await replays.claim();
  assert.equal(await replays.record(replay, job, { code: 'WORKER_STOPPING' }), 'retry');
  for (let tries = 1; tries < 12; tries += 1) {
    await replays.claim();
    assert.equal(await replays.record(replay, job, { code: 'STORE_UNAVAILABLE' }), 'retry', String(tries));
  }
  await replays.claim();
  assert.equal(await replays.record(replay, job, { code: 'STORE_UNAVAILABLE' }), 'unchecked');
  const { outcome, code } = await replays.outcome(replay, job);
  assert.deepEqual([outcome, code], ['unchecked', 'STORE_UNAVAILABLE']);
  assert.deepEqual(await stage.events(job), events);
  assert.equal(await replays.isDisputed(job), false);
  assert.equal(await replays.record(replay, job), 'stale');
  await refused('ZD022', replays.record(replay, job, { code: 'NO_SUCH_CODE' }));
});

test('an object that is not there is looked for three times, and then a finding', async () => {
  const job = await stage.published();
  const replay = await replays.start(job);
  for (const expected of ['retry', 'retry', 'failed']) {
    await replays.claim();
    assert.equal(await replays.record(replay, job, { code: 'OBJECT_NOT_FOUND' }), expected);
  }
  assert.equal((await replays.outcome(replay, job)).findings[0]!.found, 'OBJECT_NOT_FOUND');
});

test('who nobody came back from twenty times is handed out no more', async () => {
  const job = await stage.published();
  const replay = await replays.start(job);
  await stage.db.query('update docket.replay_tasks set tries = 20 where job_id = $1', [job]);
  const [claimed] = await replays.claim();
  assert.equal(claimed!.code, 'CRASH_LOOP');
  assert.equal(await replays.record(replay, job, { code: 'CRASH_LOOP' }), 'unchecked');
});

test('a document that is disposed of meanwhile is unchecked', async () => {
  const { job } = await replays.custody.published();
  const replay = await replays.start(job);
  await replays.custody.dispose(job);
  const [claimed] = await replays.claim();
  assert.equal(claimed!.code, 'DISPOSED');
  assert.equal(await replays.record(replay, job, { code: 'OBJECT_NOT_FOUND' }), 'unchecked');
  assert.equal((await replays.outcome(replay, job)).code, 'DISPOSED');
  await refused('ZD030', replays.start(job));
});

test('the object that was sealed is compared with what it was then', async () => {
  const { job } = await replays.custody.published();
  await replays.start(job);
  const [claimed] = await replays.claim();
  assert.equal(claimed!.sealed_size_bytes, '1300');
  assert.equal(claimed!.sealed_sha256!.length, 32);
  await replays.record(claimed!.replay_id, job);
});
