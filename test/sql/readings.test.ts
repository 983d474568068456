import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import * as noted from '../../src/db/noted-readings.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, type Login } from '../support/logins.ts';
import { asToken, type Token } from './as-token.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';
import { page, result } from './stage.ts';

const database = await createTestDatabase();
const NOBODY = '00000000-0000-8000-8000-000000000000';
const OTHERS = ['carrier-b'];

let custody: CustodyStage;
let auditor: Login;

before(async () => {
  custody = await CustodyStage.open(database);
  auditor = await createLogin(database, 'docket_auditor');
});

const readText = (login: Login, jobId: string, reason = 'a dispute') =>
  noted.readText(login.pool, { jobId, reason });
const readOriginal = (login: Login, jobId: string, reason = 'a dispute') =>
  noted.readOriginal(login.pool, { jobId, reason });
const events = (job: string) => custody.further.stage.events(job);
const lastEvent = (job: string) => custody.further.stage.lastEvent(job);

/** As a token: the pages by docket_api, which is all that the gateway offers. */
const readAs = (token: Token, job: string) =>
  asToken(database, token, `select page_no, text from docket_api.read_text($1, 'a dispute')`, [job]);

test('each reading of the text gives all of it, and is an event with its reason and its reader', async () => {
  const { job } = await custody.published({ pages: ['Received by Wilhelmina', 'at Rotterdam'] });
  for (const login of [custody.anna, auditor]) {
    const before = (await events(job)).length;
    const pages = await readText(login, job, 'claim 4711');
    assert.deepEqual(
      pages.map(({ page_no, text }) => [page_no, text]),
      [
        [1, 'Received by Wilhelmina'],
        [2, 'at Rotterdam'],
      ],
    );
    assert.deepEqual(pages[0]!.words, [['Received by Wilhelmina', 90, 1, 2, 30, 40]]);
    const { event, actor, reason, detail } = await lastEvent(job);
    assert.deepEqual([event, actor, reason], ['text_read', login.name, 'claim 4711']);
    assert.deepEqual(detail, { result: pages[0]!.attempt, pages: 2 });
    assert.equal((await events(job)).length, before + 1);
  }
});

test('each reading of the original gives its places and keys, and is an event', async () => {
  const { job, locator, sha256, wrappedKey } = await custody.published();
  const [place, ...more] = await readOriginal(auditor, job, 'claim 4711');
  assert.deepEqual(more, []);
  assert.deepEqual(
    [place!.locator, place!.encryption, place!.source_id, place!.media_type, place!.size_bytes],
    [locator, 'docket', 'carrier-a', 'image/png', '1000'],
  );
  assert.ok(place!.sha256.equals(sha256));
  const key = place!.object_key as { wrapped_key: string; is_foreign: boolean };
  assert.equal(Buffer.from(key.wrapped_key, 'base64').compare(wrappedKey), 0);
  assert.equal(key.is_foreign, false);
  const { event, actor, reason } = await lastEvent(job);
  assert.deepEqual([event, actor, reason], ['original_read', auditor.name, 'claim 4711']);
});

test('a key is not read but with an event: nobody may select it, and nobody the pages', async () => {
  for (const login of [custody.anna, auditor]) {
    for (const query of [
      'select wrapped_key from docket.object_keys',
      'select text from docket.pages',
      'select terms from docket.page_search',
      'select word from docket.search_words',
    ]) {
      await refused('42501', login.pool.query(query));
    }
  }
});

test('a reading needs a reason of bearable length', async () => {
  const { job } = await custody.published();
  const before = await events(job);
  for (const reason of ['', '  ', 'x'.repeat(1001)]) {
    await refused('ZD021', readText(auditor, job, reason));
    await refused('ZD021', readOriginal(auditor, job, reason));
  }
  assert.deepEqual(await events(job), before);
});

test('operators, analysts, senders and workers read neither, and leave no trace of having tried', async () => {
  const { job } = await custody.published();
  const before = await events(job);
  for (const group of ['docket_operator', 'docket_app', 'docket_analyst'] as const) {
    const login = await createLogin(database, group);
    await refused('42501', readText(login, job));
    await refused('42501', readOriginal(login, job));
  }
  for (const call of [
    `note_reading('${job}', 'text', 'why')`,
    `read_text('${job}')`,
    `read_original('${job}')`,
  ])
    await refused('42501', custody.further.stage.worker.query(`select docket.${call}`));
  for (const role of ['operator', 'analyst'] as const)
    await refused('42501', readAs({ role, sources: ['*'] }, job));
  assert.deepEqual(await events(job), before);
});

test('a token reads the documents of its sources, and any other as if it were not there', async () => {
  const { job } = await custody.published({ pages: ['Received by Wilhelmina'] });
  const eve = { role: 'evidence_owner', sources: ['carrier-a'], sub: 'eve' } as const;
  assert.deepEqual((await readAs(eve, job)).rows, [{ page_no: 1, text: 'Received by Wilhelmina' }]);
  assert.equal((await lastEvent(job))['actor'], 'token:eve');
  const before = await events(job);
  const foreign = await refused('ZD020', readAs({ ...eve, sources: OTHERS }, job));
  const unknown = await refused('ZD020', readAs(eve, NOBODY));
  assert.equal(foreign.message.replace(job, NOBODY), unknown.message);
  assert.deepEqual(await events(job), before);
});

test('nobody reads and then undoes the record of it: what is read was recorded in a transaction that is over', async () => {
  const { job } = await custody.published();
  const before = await events(job);
  const client = await auditor.pool.connect();
  const attempts = {
    'without a record': [],
    'after one of the same transaction': [`select docket.note_reading('${job}', 'text', 'why')`],
    'after one of a part of it': [
      'savepoint a',
      `select docket.note_reading('${job}', 'text', 'why')`,
      'release a',
    ],
    'after one that was undone': [
      'savepoint a',
      `select docket.note_reading('${job}', 'text', 'why')`,
      'rollback to a',
    ],
  };
  try {
    for (const [when, first] of Object.entries(attempts)) {
      await client.query('begin');
      for (const query of first) await client.query(query);
      const error = await refused('ZD044', client.query(`select * from docket.read_text('${job}')`));
      assert.match(error.message, /is not recorded/, when);
      await client.query('rollback');
    }
    await client.query('begin');
    await refused('ZD044', client.query(`select * from docket_api.read_text('${job}', 'why')`));
    await client.query('rollback');
  } finally {
    client.release();
  }
  assert.deepEqual(await events(job), before);
});

test('a record serves whoever made it, for what it says, and for five minutes', async () => {
  const { job } = await custody.published();
  await commands.noteReading(auditor.pool, { jobId: job, of: 'text', reason: 'why' });
  await commands.readText(auditor.pool, { jobId: job });
  await refused('ZD044', commands.readOriginal(auditor.pool, { jobId: job }));
  await refused('ZD044', commands.readText(custody.anna.pool, { jobId: job }));
  await custody.db.query(
    `alter table docket_audit.events disable trigger all;
     update docket_audit.events set at = at - interval '5 min' where job_id = '${job}' and event = 'text_read'`,
  );
  await refused('ZD044', commands.readText(auditor.pool, { jobId: job }));
});

test('what only asks cannot record, and so cannot read', async () => {
  const { job } = await custody.published();
  const client = await auditor.pool.connect();
  try {
    await client.query('begin read only');
    await refused('25006', client.query(`select docket.note_reading($1, 'text', 'why')`, [job]));
    await client.query('rollback');
  } finally {
    client.release();
  }
});

test('a result that the gates rejected can be read, and where there is no text nothing is recorded', async () => {
  const { stage } = custody.further;
  const open = await stage.running();
  await stage.record(open, result({ pages: [page('smudged', { confidence: 5 })] }));
  assert.equal((await stage.job(open.job_id))['state'], 'quarantined');
  assert.deepEqual(
    (await readText(custody.anna, open.job_id)).map((one) => one.text),
    ['smudged'],
  );
  const { job } = await custody.quarantined();
  const before = await events(job);
  assert.deepEqual(await readText(custody.anna, job), []);
  assert.deepEqual(await readOriginal(custody.anna, job), []);
  assert.deepEqual(await events(job), before);
});

test('of a document that was disposed of there is nothing to read', async () => {
  const { job } = await custody.published();
  await custody.dispose(job);
  await refused('ZD030', readText(custody.anna, job));
  await refused('ZD030', readOriginal(custody.anna, job));
});

test('the overview of a document shows the first words as the active rules leave them', async () => {
  const { stage } = custody.further;
  const { rows } = await custody.db.query<{ id: number }>('select docket.active_rule_set() as id');
  const open = await stage.running();
  const masked = { page_no: 1, text: 'Received by ██████████', words: [], masks: [] };
  await stage.record(
    open,
    result({
      pages: [page('Received by Wilhelmina')],
      redaction: { rule_set_id: rows[0]!.id, pages: [masked] },
    }),
  );
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  const unredacted = await stage.published();
  const words = async (job: string) =>
    (
      await auditor.pool.query<{ first_words: string | null }>(
        'select first_words from docket.document_overview where job_id = $1',
        [job],
      )
    ).rows[0]!.first_words;
  assert.equal(await words(open.job_id), 'Received by ██████████');
  assert.equal(await words(unredacted), null);
});
