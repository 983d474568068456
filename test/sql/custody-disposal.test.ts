import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { asToken } from './as-token.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta, further } = custody;
const { stage } = further;

async function one<Value>(text: string, ...values: unknown[]): Promise<Value> {
  const { rows } = await custody.db.query<Record<string, Value>>(text, values);
  return Object.values(rows[0]!)[0]!;
}

test('after a disposal no table holds a key, salt, text, word, signer, envelope or note of the document', async () => {
  const envelope = randomBytes(64);
  const { job, wrappedKey } = await custody.published({
    pages: ['Zwiebelkuchen for Quastenflosser', 'Second page with Tintenfass'],
    signer: { name: 'Wilhelmine Brettschneider' },
    envelope,
  });
  await commands.amendMetadata(anna.pool, {
    jobs: [job],
    documentKind: null,
    note: 'Found behind the Kachelofen',
    reason: 'origin',
  });
  const salt = await one<string>(`select encode(salt, 'hex') from docket.job_salts where job_id = $1`, job);
  const secrets = {
    key: [wrappedKey.toString('hex')],
    salt: [salt],
    text: ['zwiebelkuchen', 'quastenflosser', 'tintenfass'],
    signer: ['brettschneider'],
    envelope: [envelope.toString('hex')],
    note: ['kachelofen'],
  };
  assert.deepEqual(
    await Promise.all(Object.values(secrets).map((texts) => custody.tablesWith(...texts))),
    [
      ['docket.object_keys'],
      ['docket.job_salts'],
      ['docket.page_search', 'docket.pages', 'docket.redacted_pages', 'docket.search_words'],
      ['docket.deliveries', 'docket.evidence'],
      ['docket.deliveries', 'docket.evidence'],
      ['docket.amendments'],
    ],
    'what is looked for must be there before',
  );
  await custody.dispose(job);
  assert.deepEqual(await custody.tablesWith(...Object.values(secrets).flat()), []);
  assert.deepEqual(await custody.wrong(), []);
});

test('the statistics of the planner keep nothing of a disposed document', async () => {
  const envelope = randomBytes(64);
  await custody.published({ pages: ['Of an empty table it would keep what it had'] });
  const { job, wrappedKey } = await custody.published({ pages: ['Windbeutel'], envelope });
  await commands.amendMetadata(anna.pool, {
    jobs: [job],
    documentKind: null,
    note: 'Regenschirm',
    reason: 'origin',
  });
  const salt = await one<string>(`select encode(salt, 'hex') from docket.job_salts where job_id = $1`, job);
  await custody.db.query('analyze');
  const destroyed = [wrappedKey.toString('hex'), salt, envelope.toString('hex'), 'regenschirm'];
  assert.equal(await custody.isSampled(...destroyed), false, 'never sampled');
  assert.equal(await custody.isSampled('windbeutel'), true, 'the words of the index are');
  await custody.dispose(job);
  assert.equal(await custody.isSampled('windbeutel'), false);
});

test('a disposal leaves the log, the result by its hash and the hash of the scan, and orders its object to be removed', async () => {
  const { job, sha256, locator } = await custody.published();
  const before = await stage.job(job);
  await custody.dispose(job);
  const after = await stage.job(job);
  for (const kept of ['sha256', 'result_sha256', 'state', 'state_at', 'source_id', 'delivery_id'])
    assert.deepEqual(after[kept], before[kept], kept);
  assert.equal(await one('select count(*)::integer from docket.results where job_id = $1', job), 1);
  assert.deepEqual(await one('select sha256 from docket.evidence where job_id = $1', job), sha256);
  assert.deepEqual((await stage.events(job)).slice(-2), ['disposal_requested', 'disposed']);
  const { detail, actor, reason } = await stage.lastEvent(job);
  assert.deepEqual([actor, reason], [berta.name, 'agreed']);
  assert.deepEqual(
    { requested_by: detail['requested_by'], keys: detail['keys'], pages: detail['pages'] },
    { requested_by: anna.name, keys: 1, pages: 1 },
  );
  const orders = await custody.db.query(
    'select locator, version, act, job_id from docket.object_orders where locator = $1',
    [locator],
  );
  assert.deepEqual(orders.rows, [{ locator, version: null, act: 'remove', job_id: job }]);
  const shown = await custody.custody(job);
  assert.equal(shown['disposal'], 'disposed');
  assert.deepEqual([shown['requested_by'], shown['decided_by']], [anna.name, berta.name]);
});

test('words that another document holds for the same reader stay searchable, and those of another reader alone do not', async () => {
  const shared = await custody.published({ pages: ['Kirschbaum with Eichhorn'] });
  await custody.published({ pages: ['Kirschbaum alone'] });
  await custody.published({ pages: ['Eichhorn elsewhere'], sender: further.other });
  await custody.dispose(shared.job);
  const { rows } = await custody.db.query(
    `select reader, word from docket.search_words where word in ('kirschbaum', 'eichhorn') and reader like '0/%' order by 1, 2`,
  );
  assert.deepEqual(rows, [
    { reader: '0/carrier-a', word: 'kirschbaum' },
    { reader: '0/carrier-b', word: 'eichhorn' },
  ]);
});

test('a word is kept by an old document, however many were indexed since', async () => {
  await custody.published({ pages: ['Hinterglasmalerei'] });
  const { job } = await custody.published({ pages: ['Hinterglasmalerei again'] });
  const first = await one<string>(
    `select min(page_search_id)::text from docket.page_search where terms @@ 'hinterglasmalerei'`,
  );
  // 250 rows of other words after it, more than are looked through one by one
  await custody.db.query(
    `insert into docket.page_search (scope, job_id, page_no, attempt, is_shared, terms)
     select scope, job_id, 1000 + n, attempt, is_shared, array_to_tsvector(array['filler' || n, '0/carrier-a', '0/*'])
     from docket.page_search, generate_series(1, 250) as n where page_search_id = $1`,
    [first],
  );
  await custody.dispose(job);
  assert.deepEqual(await custody.tablesWith('hinterglasmalerei'), [
    'docket.page_search',
    'docket.pages',
    'docket.redacted_pages',
    'docket.search_words',
  ]);
  const { rowCount } = await custody.db.query(
    `select from docket.search_words where word = 'hinterglasmalerei' and reader = '0/carrier-a'`,
  );
  assert.equal(rowCount, 1);
});

test('whoever asked for a disposal cannot approve it, by login or by a token of that name', async () => {
  const { job } = await custody.published();
  await custody.request(job);
  const error = await refused('ZD033', custody.approve(job, anna));
  assert.match(error.message, new RegExp(anna.name));
  await refused(
    'ZD033',
    asToken(
      database,
      { role: 'evidence_owner', sources: ['*'], sub: anna.name.toUpperCase() },
      'select * from docket.approve_disposal(array[$1::uuid], $2)',
      [job, 'agreed with myself'],
    ),
  );
  assert.equal((await custody.custody(job))['disposal'], 'requested');
  assert.equal(await one('select count(*)::integer from docket.pages where job_id = $1', job), 1);
});

test('a disposal that nobody asked for, that was withdrawn, or that was done is not approved', async () => {
  const { job } = await custody.published();
  await refused('ZD034', custody.approve(job));
  await custody.request(job);
  await refused('ZD035', custody.request(job, berta));
  await commands.withdrawDisposal(berta.pool, { jobs: [job], reason: 'still needed' });
  await refused('ZD034', custody.approve(job));
  await refused('ZD034', commands.withdrawDisposal(anna.pool, { jobs: [job], reason: 'twice' }));
  assert.equal((await custody.custody(job))['disposal'], null);
  await custody.request(job, berta);
  await refused('ZD033', custody.approve(job, berta));
  await custody.approve(job, anna);
  await refused('ZD030', custody.approve(job));
  await refused('ZD030', custody.request(job));
});

test('an act of custody needs a reason and a document, and is none of operators, auditors or workers', async () => {
  const { job } = await custody.published();
  for (const reason of ['', '  ', 'x'.repeat(1001)])
    await refused('ZD021', commands.requestDisposal(anna.pool, { jobs: [job], reason }));
  await refused('ZD020', custody.request('00000000-0000-8000-8000-000000000000'));
  await refused('42501', commands.requestDisposal(stage.worker, { jobs: [job], reason: 'tidy' }));
  assert.deepEqual(await commands.requestDisposal(anna.pool, { jobs: [], reason: 'none' }), []);
});

test('several documents are disposed of together, or none of them', async () => {
  const [first, second] = [await custody.published(), await custody.published()];
  const jobs = [second.job, first.job, second.job];
  assert.equal((await commands.requestDisposal(anna.pool, { jobs, reason: 'old' })).length, 2);
  await commands.withdrawDisposal(anna.pool, { jobs: [first.job], reason: 'not this' });
  await refused('ZD034', commands.approveDisposal(berta.pool, { jobs, reason: 'agreed' }));
  assert.equal((await custody.custody(second.job))['disposal'], 'requested');
  await custody.request(first.job);
  assert.equal((await commands.approveDisposal(berta.pool, { jobs, reason: 'agreed' })).length, 2);
  assert.deepEqual(await custody.wrong(), []);
});

test('what is in flight cannot be asked for; what is quarantined can, without evidence at once', async () => {
  const { job } = await custody.deliver();
  await refused('ZD002', custody.request(job));
  const mismatch = await custody.quarantined({ signer: { name: 'Adalbert Wanderstock' } });
  assert.equal((await custody.custody(mismatch.job))['retain_until'], null);
  await custody.dispose(mismatch.job);
  assert.deepEqual(await custody.tablesWith('wanderstock', mismatch.wrappedKey.toString('hex')), []);
  await refused('ZD030', commands.releaseQuarantined(anna.pool, { jobs: [mismatch.job], reason: 'try' }));
  assert.deepEqual(await custody.wrong(), []);
});

test('a disposal is refused in a transaction with an old snapshot', async () => {
  const { job } = await custody.published();
  await custody.request(job);
  const client = await berta.pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await refused('ZD029', commands.approveDisposal(client, { jobs: [job], reason: 'agreed' }));
  } finally {
    await client.query('rollback');
    client.release();
  }
});
