import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { measureAll } from './ages-stage.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');
const operator = (await createLogin(database, 'docket_operator')).pool;

/** What an operator is told, and what a count of the whole tables gives. */
async function bothCounts(): Promise<{ told: unknown; counted: unknown }> {
  const told = await commands.documentCounts(operator);
  const [{ delivery_count: deliveries }] = (
    await operator.query<{ delivery_count: string }>('select docket.delivery_count()')
  ).rows as [{ delivery_count: string }];
  const { rows } = await stage.db.query<{ state: string; documents: string }>(
    `select s.state, count(j.job_id) as documents
     from docket.job_states s left join docket.jobs j using (state) where s.state <> 'none' group by s.state`,
  );
  const { rows: delivered } = await stage.db.query<{ n: string }>(
    'select count(*) as n from docket.deliveries',
  );
  const sorted = (pairs: [string, string][]) => Object.fromEntries(pairs.toSorted());
  return {
    told: { deliveries, ...sorted(told.map((row) => [row.state, row.documents])) },
    counted: { deliveries: delivered[0]!.n, ...sorted(rows.map((row) => [row.state, row.documents])) },
  };
}

async function agree(when: string): Promise<void> {
  const { told, counted } = await bothCounts();
  assert.deepEqual(told, counted, when);
}

test('documents and deliveries are told as the tables have them, whether or not events are sealed and counted', async () => {
  await agree('nothing');
  const sha256 = randomHash();
  await stage.deliver({ sha256 });
  await stage.deliver({ sha256 }, other);
  await stage.deliver({ sha256, locator: 'memory:again' });
  await agree('deliveries that admission has not noticed');
  await stage.admit();
  await agree('deliveries that were noticed');
  for (const state of ['running', 'validated', 'published', 'quarantined', 'accepted'] as const) {
    await stage.inState(state);
    await agree(state);
  }
  await measureAll(stage.worker, 3);
  await agree('all that was counted');
  const stopped = await stage.quarantined();
  const owner = (await createLogin(database, 'docket_evidence_owner')).pool;
  await commands.releaseQuarantined(owner, { jobs: [stopped], reason: 'Scanned again.' });
  await agree('a document that was released');
  await measureAll(stage.worker);
  await agree('all of it');
});

test('what does not stay in its state is as old as the oldest of it', async () => {
  const { rows } = await stage.db.query<{ state: string; at: string }>(
    `select state, min(case when next_task is null and state = 'accepted' then accepted_at else state_at end) as at
     from docket.jobs where state <> 'published' group by state`,
  );
  const told = await commands.documentCounts(operator);
  assert.deepEqual(Object.fromEntries(told.map((row) => [row.state, row.oldest_at])), {
    published: null,
    ...Object.fromEntries(rows.map((row) => [row.state, row.at])),
  });
});

test('what was sealed before there were ages is counted by the migration, and what came later by the duty', async () => {
  const migration = await readFile(new URL('../../sql/migrations/000019_ages.sql', import.meta.url), 'utf8');
  const [, statements = ''] = /^(insert into docket\.age_progress [^]*)/m.exec(migration) ?? [];
  const steps = async () =>
    (await stage.db.query<Record<string, string>>('select * from docket.event_totals order by 1, 2, 3')).rows;
  const before = await steps();
  await stage.published();
  await stage.db.query('truncate docket.event_totals, docket.age_progress');
  await stage.db.query(statements);
  assert.deepEqual(await steps(), before);
  await agree('what the migration counted');
  await measureAll(stage.worker);
  await agree('what was counted since');
});
