import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { asToken } from './as-token.ts';
import { WatchStage } from './watch-stage.ts';

const database = await createTestDatabase();
const watch = await WatchStage.open(database);
const { stage } = watch;
await createSender(database, 'carrier-b');

test('who sees a part of the sources sees that something is wrong, but neither whose document it is nor the gates of others', async () => {
  const job = await stage.deliver();
  await watch.older(310);
  await stage.db.query(
    `insert into docket.admission_gates (target, source_id, closed_by, reason, closed_at)
     values ('source:carrier-b', 'carrier-b', 'olga', 'a secret', clock_timestamp() - interval '5 hours')`,
  );
  await watch.round();
  const seen = async (...sources: string[]) =>
    (
      await asToken(
        database,
        { role: 'operator', sources },
        'select subject, fact, why, next_command, document_id from docket_api.alerts order by subject',
      )
    ).rows;
  const all = await seen('*');
  assert.deepEqual(
    all.map(({ subject, document_id }) => [subject, document_id]),
    [
      ['admission:source:carrier-b', null],
      ['slo:undeferred_standard', job],
    ],
  );
  assert.deepEqual(await seen('carrier-a'), [all[1]]);
  const [gate, late, ...more] = await seen('carrier-b');
  assert.deepEqual([gate, more], [all[0], []]);
  assert.deepEqual(
    [late!['document_id'], late!['why'], late!['next_command'], late!['fact']],
    [null, null, 'docket status', all[1]!['fact']],
  );
  assert.doesNotMatch(JSON.stringify(late), new RegExp(job));
});

test('analysts see neither alerts nor objectives', async () => {
  for (const view of ['alerts', 'slos']) {
    const asked = asToken(database, { role: 'analyst', sources: ['*'] }, `select * from docket_api.${view}`);
    await assert.rejects(asked, { code: '42501' });
  }
});
