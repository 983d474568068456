import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { tamper } from './log-forger.ts';
import { refused } from './refused.ts';
import { ReplayStage } from './replay-stage.ts';

const database = await createTestDatabase();
const replays = await ReplayStage.open(database);
const { stage, operator } = replays;

test('what is asked for must be of the documented shape', async () => {
  for (const wrong of [
    {},
    { count: 1, share: 0.5 },
    { count: 0 },
    { share: 0 },
    { share: 1.01 },
    { share: NaN },
  ]) {
    await refused('ZD056', replays.draw(wrong));
  }
  await refused('ZD056', replays.draw({ count: 1, sources: [] }));
  await refused('ZD023', replays.draw({ count: 1, sources: ['carrier-a', 'nobody'] }));
  await refused('ZD021', replays.draw({ count: 1, reason: ' ' }));
  await refused('ZD056', replays.start(await stage.quarantined()));
  await refused('ZD020', replays.start('00000000-0000-8000-8000-000000000000'));
  for (const dailyCount of [-1, 100_001]) {
    await refused('ZD056', commands.setReplayPlan(operator.pool, { dailyCount, isReread: false }));
  }
  const auditor = await createLogin(database, 'docket_auditor');
  await refused('42501', commands.setReplayPlan(auditor.pool, { dailyCount: 1, isReread: false }));
});

test('every stratum of source and age gives one, then each in proportion, in the order of the seed', async () => {
  const sizes = { 'stratum-a': 10, 'stratum-b': 3, 'stratum-c': 1 };
  const jobs = new Map<string, string[]>();
  for (const [sourceId, size] of Object.entries(sizes)) {
    const sender = await createSender(database, sourceId);
    for (let n = 0; n < size; n += 1) {
      jobs.set(sourceId, [...(jobs.get(sourceId) ?? []), await replays.published(sender)]);
    }
  }
  const sources = Object.keys(sizes);
  const drawn = async (seed: string, asked: { count: number } | { share: number }) => {
    const [row] = await replays.draw({ ...asked, seed, sources });
    const tasks = await stage.db.query<{ job_id: string }>(
      'delete from docket.replay_tasks where replay_id = $1 returning job_id',
      [row!.replay_id],
    );
    return { population: row!.population, ids: tasks.rows.map((task) => task.job_id).toSorted() };
  };
  const byHash = (source: string, seed: string) => {
    const place = (job: string) =>
      createHash('sha256')
        .update(seed)
        .update(Buffer.from(job.replaceAll('-', ''), 'hex'))
        .digest('hex');
    return jobs.get(source)!.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  };
  // Seven: one of each, and four more by (turn − ½) / members: 0.15, 0.25, 0.35, 0.45 of the first, before 0.5 of the second.
  // Twelve: then 0.5 and 0.83 of the second among 0.55, 0.65, 0.75 of the first.
  for (const [count, shares] of [
    [2, [1, 1, 0]],
    [7, [5, 1, 1]],
    [12, [8, 3, 1]],
    [99, [10, 3, 1]],
  ] as const) {
    const { population, ids } = await drawn('a seed', { count });
    assert.equal(population, '14');
    const wanted = sources.flatMap((source, at) => byHash(source, 'a seed').slice(0, shares[at]));
    assert.deepEqual(ids, wanted.toSorted());
  }
  assert.notDeepEqual((await drawn('a seed', { count: 7 })).ids, (await drawn('another', { count: 7 })).ids);
  assert.equal((await drawn('a seed', { share: 0.5 })).ids.length, 7);
  assert.equal((await drawn('a seed', { share: 0.01 })).ids.length, 1);
  assert.equal((await drawn('a seed', { share: 1 })).ids.length, 14);
  // one that is a month old is a stratum by itself
  const old = byHash('stratum-a', 'a seed').at(-1)!;
  await tamper(stage.db, (client) =>
    client.query(`update docket.jobs set accepted_at = accepted_at - interval '40 days' where job_id = $1`, [
      old,
    ]),
  );
  assert.ok((await drawn('a seed', { count: 4 })).ids.includes(old));
});

test('an auditor draws again what was drawn', async () => {
  const [row] = await replays.draw({ count: 3, seed: 'root of a checkpoint' });
  const auditor = await createLogin(database, 'docket_auditor');
  await stage.published();
  const again = await auditor.pool.query(
    `select d.job_id from docket.replay_runs r
     cross join lateral docket.draw_replay(r.seed, r.wanted_count, r.wanted_share, r.sources, r.started_at) d
     where r.replay_id = $1 order by 1`,
    [row!.replay_id],
  );
  const drawn = await stage.db.query(
    'delete from docket.replay_tasks where replay_id = $1 returning job_id',
    [row!.replay_id],
  );
  const ids = (rows: unknown[]) => (rows as { job_id: string }[]).map((one) => one.job_id).toSorted();
  assert.deepEqual(ids(again.rows), ids(drawn.rows));
});

test('some are replayed each day, spread over it; the next day begins when the last one is done', async () => {
  const day = () => commands.startDailyReplay(stage.worker);
  await stage.published();
  assert.deepEqual(await day(), [], 'the first comes a day after the installation');
  await stage.db.query(`update docket.migrations set applied_at = applied_at - interval '1 day'`);
  await commands.setReplayPlan(operator.pool, { dailyCount: 0, isReread: false });
  assert.deepEqual(await day(), [], 'none where none is wanted');
  await commands.setReplayPlan(operator.pool, { dailyCount: 4, isReread: true });
  const [row] = await day();
  assert.equal(row!.sample, 4);
  const { rows } = await stage.db.query<{ hours: number }>(
    `select round(extract(epoch from k.due_at - r.started_at) / 3600)::int as hours
     from docket.replay_tasks k join docket.replay_runs r using (replay_id)
     where replay_id = $1 and is_daily and is_reread order by 1`,
    [row!.replay_id],
  );
  assert.deepEqual(
    rows.map((one) => one.hours),
    [0, 5, 10, 15],
  );
  assert.deepEqual(await day(), []);
  await stage.db.query(
    `update docket.replay_runs set started_at = started_at - interval '25 hours' where is_daily`,
  );
  assert.deepEqual(await day(), [], 'not while the last one is under way');
  for (const claimed of await replays.claim()) await replays.record(claimed.replay_id, claimed.job_id);
  assert.equal((await day())[0]!.sample, 4);
});
