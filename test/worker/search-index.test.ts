import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('what a worker publishes and redacts is soon in the index, in the full text and as analysts see it', async () => {
  await fixture.startWorker(createNullEngine());
  const jobs = await fixture.deliver(await fixture.put('to be found'));
  const scopes = async () => {
    const { rows } = await fixture.db.query<{ scope: number }>(
      'select scope from docket.page_search where job_id = any ($1) order by scope',
      [jobs],
    );
    return rows.map(({ scope }) => scope);
  };
  const { rows } = await fixture.db.query<{ id: number }>('select docket.active_rule_set() as id');
  await eventually('both are indexed', async () => (await scopes()).length === 2, { withinMs: 20_000 });
  assert.deepEqual(await scopes(), [0, rows[0]!.id]);
  await eventually(
    'nothing is left to be done',
    async () => (await fixture.db.query('select from docket.search_todo')).rowCount === 0,
  );
});
