import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

test('a worker that is killed while it replays leaves the document to the next one, which records it once', async () => {
  const first = spawnWorker({ config, recogniseMs: 0 });
  const objects = await Promise.all(['one', 'two', 'three'].map((content) => fixture.put(content)));
  const jobs = await fixture.deliver(...objects);
  await eventually('they are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  first.process.kill('SIGKILL');
  await first.exited;

  const points = [
    { pattern: 'claim_replay_tasks', call: 1, when: 'after' },
    { pattern: 'recognise', call: 1, when: 'after' },
    { pattern: 'record_replays', call: 2, when: 'before' },
    { pattern: 'record_replays', call: 1, when: 'after' },
  ] as const;
  for (const dieAt of points) {
    await db.query(`select docket.replay_documents($1, true, 'a test')`, [jobs]);
    const victim = spawnWorker({ config, recogniseMs: 0, dieAt });
    assert.equal((await victim.exited).signal, 'SIGKILL', `${dieAt.when} ${dieAt.pattern}`);
    // half an hour passes
    await db.query('update docket.replay_tasks set due_at = now()');
  }
  spawnWorker({ config, recogniseMs: 0 });
  await eventually('the replays have ended', async () => {
    const { rowCount } = await db.query('select from docket.replay_runs where ended_at is null');
    return rowCount === 0;
  });
  const { rows } = await db.query<{ passed: string; events: string; failed: string }>(
    `select
       (select count(*) from docket.replayed_documents where outcome = 'passed') as passed,
       (select count(*) from docket_audit.events where event = 'replay_passed') as events,
       (select count(*) from docket_audit.events where event = 'replay_failed') as failed`,
  );
  const all = String(points.length * jobs.length);
  assert.deepEqual(rows[0], { passed: all, events: all, failed: '0' });
});
