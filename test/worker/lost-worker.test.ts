import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

test('a job of a worker killed in recognition runs elsewhere long before its lease would end, and its copy of the scan is removed', async () => {
  const victim = spawnWorker({ config, recogniseMs: null });
  const lease = await victim.lease;
  const [job] = await fixture.deliver(await fixture.put('killed'));
  const file = await victim.recognising();
  assert.equal(existsSync(file), true);
  const rescuer = await fixture.startWorker(createNullEngine());

  victim.process.kill('SIGKILL');
  await victim.exited;
  // So it is the end of its connection that tells, on however slow a machine.
  await fixture.db.query(
    `update docket.leases set deadline = clock_timestamp() + interval '1 hour' where lease_id = $1`,
    [lease],
  );
  await eventually(
    'the job runs again',
    async () => (await fixture.events(job!)).filter((event) => event === 'started').length === 2,
  );

  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  assert.deepEqual((await fixture.events(job!)).slice(3), [
    'started',
    'ocr_lost',
    'started',
    'extracted',
    'published',
  ]);
  await eventually('the folder of the victim is removed', () => !existsSync(dirname(file)));
  await rescuer.stop();
});

test('a worker that stood still longer than its lease is fenced, and goes on under a new one', async () => {
  const frozen = spawnWorker({ config, recogniseMs: null });
  const lease = await frozen.lease;
  const [job] = await fixture.deliver(await fixture.put('frozen'));
  const file = await frozen.recognising();
  frozen.process.kill('SIGSTOP');
  const rescuer = await fixture.startWorker(createNullEngine());
  await fixture.db.query(`update docket.leases set deadline = clock_timestamp() where lease_id = $1`, [
    lease,
  ]);
  await eventually('another worker publishes', async () => (await fixture.states([job!]))[0] === 'published');
  assert.equal(existsSync(file), true, 'a process that stands still may still need its files');
  await rescuer.stop();
  const before = await fixture.events(job!);

  frozen.goOn();
  frozen.process.kill('SIGCONT');
  await eventually('it opens a new lease', async () => {
    const { rows } = await fixture.db.query(
      'select from docket.leases where pid = $1 and closed_at is null and lease_id <> $2',
      [frozen.process.pid, lease],
    );
    return rows.length === 1;
  });
  await eventually('its old folder is gone', () => !existsSync(dirname(file)));
  const after = await fixture.events(job!);
  assert.deepEqual(before, [
    'accepted',
    'admitted',
    'verified',
    'started',
    'ocr_lost',
    'started',
    'extracted',
    'published',
  ]);
  assert.deepEqual(
    after.filter((event) => event !== 'result_duplicate'),
    before,
  );

  const [next] = await fixture.deliver(await fixture.put('thawed'));
  await frozen.recognising();
  frozen.goOn();
  await eventually('it works again', async () => (await fixture.states([next!]))[0] === 'published');
  frozen.process.kill('SIGTERM');
  assert.deepEqual(await frozen.exited, { code: 0, signal: null });
});
