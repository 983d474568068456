import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { tamper } from './log-forger.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const operator = (await createLogin(database, 'docket_operator')).pool;

const quarantined = async (source: string) =>
  (await commands.whySource(operator, { sourceId: source }))
    .filter(({ cause }) => cause === 'quarantined')
    .map(({ fact }) => fact.split(':')[0]);

/** Quarantines so many documents of a source at once, as rows alone: without events, but the newest of all. */
const quarantineMany = (source: string, count: number) =>
  tamper(stage.db, async (client) => {
    await client.query('alter table docket.jobs disable trigger user');
    await client.query(
      `insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, state_at, accepted_at, seq, head, first_code, last_code)
       select gen_random_uuid(), sha256(convert_to(n || $1::text, 'UTF8')), j.delivery_id, $1, j.document_kind, 'quarantined',
         clock_timestamp() + interval '1 hour', j.accepted_at, j.seq, j.head, 'CORRUPT', 'CORRUPT'
       from (select * from docket.jobs limit 1) as j
       cross join generate_series(1, $2) as n`,
      [source, count],
    );
    await client.query('alter table docket.jobs enable trigger user');
  });

test('a source is told of its quarantined documents however many others were quarantined since', async () => {
  await createSender(database, 'carrier-b');
  await stage.quarantined();
  assert.deepEqual(await quarantined('carrier-a'), ['1 document is quarantined for CORRUPT']);
  await quarantineMany('carrier-b', 10_000);
  assert.deepEqual(await quarantined('carrier-a'), ['1 document is quarantined for CORRUPT']);
});

test('documents that are counted no further are said to be so many or more', async () => {
  await quarantineMany('carrier-a', 9_998);
  assert.deepEqual(await quarantined('carrier-a'), ['9999 documents are quarantined for CORRUPT']);
  await quarantineMany('carrier-b', 1);
  assert.deepEqual(await quarantined('carrier-b'), ['10000 documents or more are quarantined for CORRUPT']);
});
