import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { CustodyStage } from './custody-stage.ts';
import { comparison, reading, RereadStage } from './reread-stage.ts';
import { page, result } from './stage.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { stage } = custody.further;
const rereads = await RereadStage.around(stage);
const { db } = stage;

/** A result of one page, with what the active rules made of it, which mask nothing. */
async function redacted(text: string): Promise<string> {
  const { rows } = await db.query<{ id: number }>('select docket.active_rule_set() as id');
  const pages = [{ page_no: 1, text, words: [], masks: [] }];
  return result({ pages: [page(text)], redaction: { rule_set_id: rows[0]!.id, pages } });
}

/** The text that analysts are shown of a document; undefined while it is withheld. */
async function shown(job: string): Promise<string | undefined> {
  const { rows } = await db.query<{ text: string }>(
    'select text from docket_api.pages where document_id = $1',
    [job],
  );
  return rows[0]?.text;
}

async function found(word: string): Promise<number | null> {
  return (await db.query('select from docket_api.search($1)', [word])).rowCount;
}

test('what supersedes is shown and found in place of what did, once it is redacted and not before', async () => {
  const { job } = await custody.published({ pages: ['Zwiebelkuchen for the quay'] });
  assert.equal(await found('Zwiebelkuchen'), 1);
  await rereads.reread(job, { result: await redacted('Kirschkuchen for the quay') });
  assert.equal(await shown(job), 'Kirschkuchen for the quay');
  await custody.index();
  assert.deepEqual([await found('Zwiebelkuchen'), await found('Kirschkuchen')], [0, 1]);

  await rereads.reread(job, { result: reading('Streuselkuchen for the quay') });
  assert.equal(await shown(job), undefined, 'what nobody redacted is shown to nobody');
  const { rows } = await db.query('select is_withheld from docket_api.documents where document_id = $1', [
    job,
  ]);
  assert.deepEqual(rows, [{ is_withheld: true }]);
  const todo = await db.query('select from docket.redaction_todo where job_id = $1', [job]);
  assert.equal(todo.rowCount, 1, 'it is to be redacted');
});

test('after a disposal nothing is left of any result, of words of it, nor of where a trial found them', async () => {
  const { job } = await custody.published({ pages: ['Quastenflosser and others'] });
  await rereads.reread(job, { result: await redacted('Tintenfass and others') });
  await custody.index();
  const trial = await rereads.trial({ jobs: [job] });
  await rereads.record(await rereads.claimOne(), { result: reading('Kachelofen'), comparison: comparison() });
  const words = ['quastenflosser', 'tintenfass', 'kachelofen'];
  assert.deepEqual(
    await Promise.all(words.map((word) => custody.tablesWith(word))),
    [
      ['docket.pages', 'docket.redacted_pages', 'docket.search_words'],
      ['docket.page_search', 'docket.pages', 'docket.redacted_pages', 'docket.search_words'],
      [],
    ],
    'what is looked for must be there before; of a trial nothing is kept',
  );
  await custody.dispose(job);
  assert.deepEqual(await custody.tablesWith(...words), []);
  const { rows } = await db.query(
    'select pages, words_kept from docket.trial_comparisons where trial_id = $1',
    [trial],
  );
  assert.deepEqual(rows, [{ pages: [], words_kept: 2 }], 'counts stay, places do not');
  assert.deepEqual(await custody.wrong(), []);
});

test('a disposal ends what was ordered, and a worker that was at it brings nothing back', async () => {
  const { job } = await custody.published();
  const { job: other } = await custody.published();
  const [ordered] = await rereads.order([job]);
  const underWay = await rereads.claimOne();
  const trial = await rereads.trial({ jobs: [job] });
  await custody.dispose(job);
  assert.equal((await rereads.rereading(ordered!)).outcome, 'disposed');
  assert.deepEqual(await rereads.claim(), []);
  const brought = await rereads.record(underWay, { result: reading('Too late for it') });
  assert.equal(brought.outcome, 'stale');
  const { rows } = await db.query<{ has_ended: boolean; results: string }>(
    `select t.ended_at is not null as has_ended, (select count(*) from docket.results where job_id = $2) as results
     from docket.ocr_trials t where t.trial_id = $1`,
    [trial, job],
  );
  assert.deepEqual(rows, [{ has_ended: true, results: '1' }]);
  assert.equal((await stage.lastEvent(job))['event'], 'disposed');
  assert.equal(await rereads.reread(other, { result: reading('Another one lives') }), 'superseded');
  assert.deepEqual(await custody.wrong(), []);
});

test('of a document that was superseded while a replay read it anew, the replay looks again', async () => {
  const { job } = await custody.published({ pages: ['Received in good order'] });
  await db.query(`select docket.replay_documents($1, true, 'a test')`, [[job]]);
  const claim = () => db.query<Record<string, unknown>>('select * from docket.claim_replay_tasks(10)');
  const { rows } = await claim();
  const { replay_id: replay, published_config_sha256: config } = rows[0]!;
  await rereads.reread(job, { result: reading('Received in better order') });
  const bring = async (read: string, by: unknown) =>
    (
      await db.query<{ outcome: string }>(
        `select outcome from docket.record_replays(array[$1::integer], array[$2::uuid], array[null], array[null],
           array[null::json], array[$3::bytea], array[$4::json])`,
        [replay, job, by, read],
      )
    ).rows[0]!.outcome;
  assert.equal(await bring(reading('Received in good order'), config), 'retry');
  const again = await claim();
  assert.deepEqual(again.rows[0]!['published_config_sha256'], rereads.config);
  assert.equal(await bring(reading('Received in better order'), rereads.config), 'passed');
});
