import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { createClient } from '../../src/db/pools.ts';
import { jobIdOf } from '../../src/domain/job-id.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { startDatabaseProxy, type Moment } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { testCluster } from '../support/test-cluster.ts';
import { createFixture } from './fixture.ts';

const MOMENTS: readonly Moment[] = ['before', 'sent', 'answered'];
/** What a worker asks for on behalf of a document; each is a transaction, whose end is in its answer. The last are the queue's. */
const STATEMENTS = [
  'docket.admit(',
  'docket.begin_attempts(',
  'docket.record_verified(',
  'docket.record_results(',
  'docket.publish_results(',
  'get_job',
  'complete_job',
];

const fixture = await createFixture();
const proxy = await startDatabaseProxy(testCluster());
const name = new URL(fixture.config.databaseUrl!.replace('@/', '@localhost/')).pathname.slice(1);
const through = (role: string) => socketUrl(proxy, role, name);
const worker = await fixture.startWorker(createNullEngine(), {
  config: { workerUrl: through('docket_worker'), queueUrl: through('docket_queue') },
});
after(() => proxy.stop());
await fixture.db.query('create role cut_sender login in role docket_app');
await fixture.db.query(`select docket.add_source('carrier-cut', 'cut_sender')`);

async function publishedOnce(job: string, withinMs = 30_000): Promise<void> {
  await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published', {
    withinMs,
  });
  const events = await fixture.events(job);
  for (const once of ['accepted', 'verified', 'extracted', 'published']) {
    assert.equal(events.filter((event) => event === once).length, 1, events.join(', '));
  }
  const { rowCount } = await fixture.db.query('select from docket.results where job_id = $1', [job]);
  assert.equal(rowCount, 1);
}

for (const moment of MOMENTS) {
  test(`a delivery whose COMMIT was cut off (${moment}) is repeated by its sender, and is one document`, async () => {
    const object = await fixture.put(`commit ${moment}`);
    const insert = `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
      values ('carrier-cut', $1, $2, $3, 'image/png', now(), 'none') returning job_id`;
    const jobs: string[] = [];
    for (const isCut of [true, false]) {
      const client = createClient({ url: through('cut_sender'), name: 'test', log: fixture.log });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('begin');
      const { rows } = await client.query<{ job_id: string }>(insert, [
        object.sha256,
        object.locator,
        object.sizeBytes,
      ]);
      jobs.push(rows[0]!.job_id);
      const cut = isCut ? proxy.cutAt('commit\0', moment) : undefined;
      const committing = client.query('commit');
      if (cut) await Promise.all([assert.rejects(committing), cut]);
      else await committing;
      await client.end().catch(() => undefined);
    }
    const { rows } = await fixture.db.query<{ job_id: string }>(
      'select job_id from docket.jobs where sha256 = $1',
      [object.sha256],
    );
    assert.deepEqual(rows, [{ job_id: jobs[1] }]);
    await publishedOnce(jobs[1]!);
  });

  for (const statement of STATEMENTS) {
    test(`a worker whose connection breaks (${moment}) at ${statement} goes on, with one result`, async () => {
      const cut = proxy.cutAt(statement, moment);
      const [job] = await fixture.deliver(await fixture.put(`${statement} ${moment}`));
      await cut;
      await publishedOnce(job!);
    });
  }
}

test('a message whose fetch was answered to nobody is replaced, though the process that locked it lives on', async () => {
  const lease = worker.leaseId;
  const object = await fixture.put('fetched by nobody');
  const fetched = proxy.cutAnswer(jobIdOf(object.sha256));
  const [job] = await fixture.deliver(object);
  await fetched;
  await publishedOnce(job!, 60_000);
  assert.equal(worker.leaseId, lease);
});

test('the worker was never restarted, and the record holds', async () => {
  await worker.stop();
  const { rows } = await fixture.db.query<{ failed_count: string }>('select * from docket.verify_all()');
  for (const { failed_count } of rows) assert.equal(failed_count, '0');
});
