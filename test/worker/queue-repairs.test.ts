import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const { db } = fixture;
await fixture.startWorker(createNullEngine());

/** What somebody may do to the rows of waiting messages by hand. */
const MEDDLING = {
  'deletes them': 'delete from graphile_worker._private_jobs',
  'copies each': `insert into graphile_worker._private_jobs (task_id, payload, priority, run_at, max_attempts)
    select task_id, payload, priority, run_at, max_attempts from graphile_worker._private_jobs`,
  'locks them for a pool that nobody knows': `update graphile_worker._private_jobs set locked_by = 'nobody', locked_at = now() where locked_by is null`,
  'locks them for nobody':
    'update graphile_worker._private_jobs set locked_at = now() where locked_by is null',
  'puts them off for a year': `update graphile_worker._private_jobs set run_at = now() + interval '1 year' where locked_by is null`,
  'spends their attempts':
    'update graphile_worker._private_jobs set attempts = max_attempts where locked_by is null',
  'writes other references into them': `update graphile_worker._private_jobs set payload = json_build_object('job_id', payload ->> 'job_id', 'ref', 'e30.e30.AAAA') where locked_by is null`,
};

for (const [what, statement] of Object.entries(MEDDLING)) {
  test(`somebody ${what}: every document is published once, in seconds`, async () => {
    const objects = await Promise.all(Array.from({ length: 12 }, (_, n) => fixture.put(`${what} ${n}`)));
    const jobs = await fixture.deliver(...objects);
    // Again and again while they are on their way, so that every kind of message is met.
    for (let n = 0; n < 5; n += 1) {
      await db.query('select docket.admit(100)');
      await db.query(statement);
    }
    await eventually(
      'all are published',
      async () => (await fixture.states(jobs)).every((state) => state === 'published'),
      { withinMs: 45_000 },
    );
    const { rows } = await db.query<{ published: string }>(
      `select count(*) as published from docket_audit.events where event = 'published' and job_id = any ($1::uuid[]) group by job_id`,
      [jobs],
    );
    assert.deepEqual(rows, Array(jobs.length).fill({ published: '1' }));
  });
}
