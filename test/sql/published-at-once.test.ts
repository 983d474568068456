// A worker that brings a result publishes it under an attempt that was opened together with it, without a message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openLease, page, result, Stage, type Open } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);

async function bring(open: Open, text = result()): Promise<commands.RecordResultsRow> {
  const { job_id, attempt, token } = open;
  const [row] = await commands.recordResults(stage.worker, {
    ...{ jobs: [job_id], attempts: [attempt], tokens: [token] },
    ...{ configs: [stage.config], results: [text], goesOn: true },
  });
  return row!;
}

async function attemptsOf(job: string) {
  const { rows } = await stage.db.query<Record<string, unknown>>(
    'select attempt, task, lease_id, token, outcome from docket.attempts where job_id = $1 order by attempt',
    [job],
  );
  return rows;
}

test('what is validated is under way to be published at once, under the same lease, without a message', async () => {
  const open = await stage.running();
  const row = await bring(open);
  assert.deepEqual([row.outcome, row.code, row.next_attempt], ['validated', null, 3]);
  assert.equal(row.seconds, 60);
  assert.equal(await stage.ref(open.job_id, 'publish'), '');
  const job = await stage.job(open.job_id);
  assert.deepEqual(
    [job['state'], job['next_task'], job['attempt'], job['tries'], job['token']],
    ['validated', 'publish', 3, 1, row.next_token],
  );
  assert.deepEqual((await attemptsOf(open.job_id)).at(-1), {
    ...{ attempt: 3, task: 'publish', lease_id: stage.lease, token: row.next_token, outcome: null },
  });

  const [published] = await commands.publishResults(stage.worker, {
    ...{ jobs: [open.job_id], attempts: [row.next_attempt!], tokens: [row.next_token!] },
  });
  assert.equal(published?.outcome, 'published');
  assert.deepEqual(
    (await attemptsOf(open.job_id)).map((one) => [one['task'], one['outcome']]),
    [
      ['hash', 'done'],
      ['ocr', 'done'],
      ['publish', 'done'],
    ],
  );
});

test('whoever brings a result again, because the answer was lost, is told of the same attempt; a stranger is not', async () => {
  const open = await stage.running();
  const first = await bring(open);
  const again = await bring(open);
  assert.equal(again.outcome, 'duplicate');
  assert.deepEqual([again.next_attempt, again.next_token], [first.next_attempt, first.next_token]);
  const stranger = await bring({ ...open, token: '00000000-0000-8000-8000-000000000000' });
  assert.deepEqual([stranger.next_attempt, stranger.next_token], [null, null]);
  await stage.publish({ ...open, attempt: first.next_attempt!, token: first.next_token! });
  assert.equal((await bring(open)).next_attempt, null);
});

test('what does not pass its gates opens nothing', async () => {
  const open = await stage.running();
  const row = await bring(open, result({ pages: [page('', { verdict: 'blank', words: [] })] }));
  assert.deepEqual([row.outcome, row.next_attempt, row.next_token], ['quarantined', null, null]);
  assert.equal((await attemptsOf(open.job_id)).length, 2);
});

test('what a worker brings whose lease has ended is published by whoever takes the message', async () => {
  const { lease } = await openLease(database);
  const job = await stage.verified();
  const [open] = await stage.tryToBegin(job, 'ocr', lease);
  await stage.db.query(
    `update docket.leases set closed_at = clock_timestamp(), close_reason = 'closed' where lease_id = $1`,
    [lease],
  );
  const row = await bring(open!);
  assert.deepEqual([row.outcome, row.next_attempt], ['validated', null]);
  assert.equal(await stage.publish(await stage.begin(job, 'publish')), 'published');
});

test('a worker that dies before it published loses that attempt alone, and a message is made', async () => {
  const { lease, end } = await openLease(database);
  const job = await stage.verified();
  const [open] = await stage.tryToBegin(job, 'ocr', lease);
  assert.equal((await bring(open!)).next_attempt, 3);
  await end();
  await eventually('its attempt is taken back', async () => {
    await commands.reap(stage.worker);
    return (await stage.lastEvent(job))['event'] === 'publish_lost';
  });
  assert.equal(await stage.publish(await stage.begin(job, 'publish')), 'published');
});
