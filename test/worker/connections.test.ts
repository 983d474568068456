import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const JOBS = 600;

test('connections that are cut at random, of any kind and in any number, lose no job and hold none up', async (t) => {
  const worker = await fixture.startWorker(createNullEngine());
  const objects = await Promise.all(Array.from({ length: JOBS }, (_, n) => fixture.put(`cut ${n}`)));
  const jobs = await fixture.deliver(...objects);
  const published = async () => (await fixture.states(jobs)).filter((state) => state === 'published').length;
  const leases = new Set<string>();
  for (let cut = 0; cut < 20 && (await published()) < JOBS; cut += 1) {
    leases.add(worker.leaseId);
    await fixture.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'docket-' || $1 || '%' and random() < 0.5`,
      [['worker', 'queue', 'duties', 'lease'][cut % 4]],
    );
    await delay(100 + Math.random() * 100);
  }
  await eventually('every job is published', async () => (await published()) === JOBS, { withinMs: 60_000 });
  const { rows } = await fixture.db.query(
    `select from docket_audit.events where event in ('verified', 'extracted', 'published') group by job_id, event having count(*) > 1`,
  );
  assert.equal(rows.length, 0);
  t.diagnostic(`${leases.size} leases seen`);
});
