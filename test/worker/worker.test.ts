import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('delivered documents are published, with the text of the very bytes, and nothing is left in queue or temp', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  const objects = await Promise.all(
    Array.from({ length: 50 }, (_, index) => fixture.put(`document ${index}`)),
  );
  const jobs = await fixture.deliver(...objects);
  await eventually('all are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );

  const [first] = jobs;
  assert.deepEqual(await fixture.events(first!), [
    'accepted',
    'admitted',
    'verified',
    'started',
    'extracted',
    'published',
  ]);
  const { rows } = await fixture.db.query<{ sha256: Buffer; text: string }>(
    `select e.sha256, p.text from docket.pages p join docket.jobs using (job_id, result_sha256) join docket.evidence e using (job_id)`,
  );
  assert.equal(rows.length, 50);
  const wanted = new Set(objects.map((object) => object.sha256.toString('hex')));
  for (const row of rows) {
    assert.ok(wanted.has(row.sha256.toString('hex')));
    assert.equal(row.text, row.sha256.toString('hex').slice(0, 16));
  }
  await worker.stop();
  const left = await fixture.db.query('select from graphile_worker._private_jobs');
  assert.equal(left.rowCount, 0);
  assert.deepEqual(await readdir(fixture.config.tempDir), []);
});

test('a worker goes on when somebody removed its temporary files', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  await rm(fixture.config.tempDir, { recursive: true });
  const [job] = await fixture.deliver(await fixture.put('after the cleaner'));
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  const { rows } = await fixture.db.query(
    'select from docket.attempts where job_id = $1 and code is not null',
    [job],
  );
  assert.equal(rows.length, 0);
  await worker.stop();
  assert.deepEqual(await readdir(fixture.config.tempDir), []);
});
