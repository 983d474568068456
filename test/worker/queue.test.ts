import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('no job is lost when its queue row is deleted by hand, or locked by a pool that nobody knows', async () => {
  const first = await fixture.startWorker(createNullEngine());
  await first.stop();
  const jobs = await fixture.deliver(
    ...(await Promise.all(['a', 'b', 'c', 'd'].map((text) => fixture.put(text)))),
  );
  await fixture.db.query('select docket.admit(100)');
  await fixture.db.query(
    `delete from graphile_worker._private_jobs where payload ->> 'job_id' = any ($1::text[])`,
    [jobs.slice(0, 2)],
  );
  await fixture.db.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-of-nobody', locked_at = now() where payload ->> 'job_id' = $1`,
    [jobs[2]],
  );
  await fixture.startWorker(createNullEngine());
  await eventually('all are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
});

test('a job with several queue rows is still done once', async () => {
  const [job] = await fixture.deliver(await fixture.put('many rows'));
  await fixture.db.query(
    `select docket.wake_jobs(array_fill($1::uuid, array[10]), array_fill('hash'::text, array[5]) || array_fill('ocr'::text, array[5]), null)`,
    [job],
  );
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  assert.deepEqual(await fixture.events(job!), [
    'accepted',
    'admitted',
    'verified',
    'started',
    'extracted',
    'published',
  ]);
});

test('a message without a job, or with an unknown one, is dropped', async () => {
  await fixture.db.query(
    `select graphile_worker.add_job('hash', json_build_object('job_id', gen_random_uuid())),
            graphile_worker.add_job('hash', '{"job_id": 7}'), graphile_worker.add_job('ocr', '[]')`,
  );
  await eventually('the queue is empty', async () => {
    const { rows } = await fixture.db.query('select from graphile_worker._private_jobs');
    return rows.length === 0;
  });
});
