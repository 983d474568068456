import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { asToken } from './as-token.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta } = custody;
const { stage } = custody.further;

const place = (job: string, matter: string, by = anna) =>
  commands.placeHold(by.pool, { jobs: [job], matter, reason: 'letter of the court' });
const lift = (job: string, matter: string, by = berta) =>
  commands.liftHold(by.pool, { jobs: [job], matter, reason: 'settled' });

test('a document on hold is not disposed of, whatever its retention says, nor asked for', async () => {
  const { job } = await custody.published();
  await place(job, 'Case 12/26');
  await refused('ZD032', custody.request(job));
  await lift(job, 'Case 12/26');
  await custody.request(job);
  await place(job, 'Case 13/26');
  await refused('ZD032', custody.approve(job));
  await lift(job, 'Case 13/26');
  await custody.approve(job);
  assert.deepEqual((await stage.events(job)).slice(-6), [
    'hold_placed',
    'hold_lifted',
    'disposal_requested',
    'hold_placed',
    'hold_lifted',
    'disposed',
  ]);
  assert.deepEqual(await custody.wrong(), []);
});

test('whoever placed a hold cannot lift it, by login or by a token of that name', async () => {
  const { job } = await custody.published();
  await place(job, 'C-1');
  const error = await refused('ZD033', lift(job, 'C-1', anna));
  assert.match(error.hint!, /another evidence owner/);
  await refused(
    'ZD033',
    asToken(
      database,
      { role: 'evidence_owner', sources: ['*'], sub: anna.name },
      'select * from docket.lift_hold(array[$1::uuid], $2, $3)',
      [job, 'C-1', 'myself'],
    ),
  );
  assert.equal((await custody.custody(job))['is_held'], true);
  await lift(job, 'C-1');
  assert.equal((await custody.custody(job))['is_held'], false);
});

test('holds of several matters are each lifted for themselves, and a matter can hold again', async () => {
  const { job } = await custody.published();
  await place(job, ' B ');
  await place(job, 'A', berta);
  await refused('ZD035', place(job, 'B', berta));
  assert.deepEqual((await custody.custody(job))['matters'], ['A', 'B']);
  await refused('ZD036', lift(job, 'C'));
  await lift(job, 'B');
  await refused('ZD036', lift(job, 'B'));
  await refused('ZD032', custody.request(job));
  await lift(job, 'A', anna);
  await custody.request(job);
  await place(job, 'B');
  await refused('ZD033', lift(job, 'B', anna));
});

test('a hold is for a matter, with a reason, in any state, and on nothing that is gone', async () => {
  for (const state of ['accepted', 'running', 'validated', 'published', 'quarantined'] as const) {
    const job = await stage.inState(state);
    await place(job, 'any');
    assert.deepEqual(
      [(await stage.lastEvent(job))['event'], (await stage.job(job))['state']],
      ['hold_placed', state],
    );
    await lift(job, 'any');
  }
  const { job } = await custody.published();
  for (const matter of ['', ' ', 'x'.repeat(201)]) await refused('ZD021', place(job, matter));
  await refused('ZD021', commands.placeHold(anna.pool, { jobs: [job], matter: 'A', reason: '' }));
  await custody.dispose(job);
  await refused('ZD030', place(job, 'late'));
});

test('holds and longer retentions order the objects of the document to be protected', async () => {
  const { job, locator } = await custody.published();
  const orders = async () =>
    (
      await custody.db.query<{ act: string }>('select act from docket.object_orders where locator = $1', [
        locator,
      ])
    ).rows;
  await place(job, 'A');
  assert.deepEqual(await orders(), [{ act: 'protect' }]);
  await commands.extendRetention(anna.pool, { jobs: [job], until: '2040-01-01', reason: 'claim' });
  await lift(job, 'A');
  assert.deepEqual(await orders(), [{ act: 'protect' }]);
});

test('evidence owners see holds and requests of the sources that are theirs, by a token that names them', async () => {
  const { job } = await custody.published();
  await place(job, 'secret matter');
  const see = async (source: string, table: string) =>
    (
      await asToken(
        database,
        { role: 'evidence_owner', sources: [source] },
        `select from docket.${table} where job_id = $1`,
        [job],
      )
    ).rowCount;
  for (const table of ['legal_holds', 'document_custody']) {
    assert.equal(await see('carrier-a', table), 1, table);
    assert.equal(await see('carrier-b', table), 0, table);
  }
});
