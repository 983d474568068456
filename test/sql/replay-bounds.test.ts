import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { refused } from './refused.ts';
import { ReplayStage } from './replay-stage.ts';

const database = await createTestDatabase();
const replays = await ReplayStage.open(database);
const { stage } = replays;

test('a replay ends with its last document; one of nothing at once', async () => {
  const job = await stage.published();
  const replay = await replays.start(job);
  const ended = async (id: number) =>
    (await stage.db.query<{ ended_at: string | null }>('select * from docket.replay_summary($1)', [id]))
      .rows[0]!.ended_at;
  assert.equal(await ended(replay), null);
  await replays.claim();
  await replays.record(replay, job);
  assert.notEqual(await ended(replay), null);
  await createSender(database, 'empty');
  const [none] = await replays.draw({ count: 5, sources: ['empty'] });
  assert.deepEqual([none!.population, none!.sample], ['0', 0]);
  assert.notEqual(await ended(none!.replay_id), null);
  await refused('ZD057', stage.db.query('select * from docket.replay_summary(999)'));
});

/** Of n documents, the chance that at most k are bad where the share p is, by exact binomials. */
function chance(n: number, k: number, p: number): number {
  let sum = 0;
  for (let bad = 0; bad <= k; bad += 1) {
    let ways = 1n;
    for (let at = 0; at < bad; at += 1) ways = (ways * BigInt(n - at)) / BigInt(at + 1);
    sum += Number(ways) * p ** bad * (1 - p) ** (n - bad);
  }
  return sum;
}

test('the bound is that of Clopper and Pearson', async () => {
  const bound = async (checked: number, failed: number) =>
    (
      await stage.db.query<{ p: number }>('select docket.highest_bad_share($1, $2, 0.99) as p', [
        checked,
        failed,
      ])
    ).rows[0]!.p;
  // none of n: 1 − 0.01^(1/n)
  for (const n of [1, 10, 200, 1149, 1_000_000]) {
    const wanted = -Math.expm1(Math.log(0.01) / n);
    assert.ok(Math.abs((await bound(n, 0)) / wanted - 1) < 1e-9, String(n));
  }
  assert.ok((await bound(1149, 0)) < 0.004, 'with 99 % confidence fewer than 0.4 % are bad');
  for (const [n, k] of [
    [10, 1],
    [200, 3],
    [60, 59],
    [500, 40],
  ] as const) {
    assert.ok(Math.abs(chance(n, k, await bound(n, k)) - 0.01) < 1e-9, `${k} of ${n}`);
  }
  assert.equal(await bound(7, 7), 1);
  assert.ok((await bound(100_000, 3_000)) > 0.03, 'without an underflow');
});

test('a summary counts; where everything was checked the share is known, and named documents say nothing', async () => {
  const sum = async (id: number) =>
    (await stage.db.query('select * from docket.replay_summary($1)', [id])).rows[0] as Record<
      string,
      unknown
    >;
  const jobs = [await stage.published(), await stage.published()];
  const named = await replays.start(jobs[0]!);
  await replays.claim();
  await replays.record(named, jobs[0]!);
  assert.equal((await sum(named))['bad_share_at_most'], null);
  const sender = await createSender(database, 'three');
  for (let n = 0; n < 3; n += 1) await replays.published(sender);
  const [all] = await replays.draw({ share: 1, sources: ['three'] });
  const claimed = (await replays.claim()).filter((one) => one.replay_id === all!.replay_id);
  assert.equal(claimed.length, 3);
  await replays.record(all!.replay_id, claimed[0]!.job_id, { code: 'OBJECT_DAMAGED' });
  assert.ok(((await sum(all!.replay_id))['bad_share_at_most'] as number) > 0.99);
  await replays.record(all!.replay_id, claimed[1]!.job_id);
  await replays.record(all!.replay_id, claimed[2]!.job_id);
  const { passed, failed, unchecked, waiting, bad_share_at_most } = await sum(all!.replay_id);
  assert.deepEqual([passed, failed, unchecked, waiting], ['2', '1', '0', '0']);
  assert.equal(bad_share_at_most, 1 / 3);
});
