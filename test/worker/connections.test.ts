import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionNeed } from '../../src/cli/connection-need.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { arePublished, fatesOf } from './published-once.ts';

const fixture = await createFixture();
const JOBS = 600;
const CUT = ['worker', 'queue', 'duties', 'lease'];

const ask = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
  (await fixture.db.query<Row>(text, values)).rows;

async function deliverMany(prefix: string, count: number): Promise<string[]> {
  const objects = await Promise.all(Array.from({ length: count }, (_, n) => fixture.put(`${prefix} ${n}`)));
  return fixture.deliver(...objects);
}

test('a busy worker never has more connections than doctor counts for it, and of no pool more than is its own', async () => {
  const slots = { ioSlots: 3, ocrSlots: 4, ocrReservedSlots: 1 };
  const worker = await fixture.startWorker(createNullEngine(), { config: slots });
  const { each } = await connectionNeed(typedQueries(fixture.db), slots);
  const jobs = await deliverMany('count', 300);
  const most = new Map<string, number>();
  await eventually(
    'every job is published',
    async () => {
      const counts = await ask<{ name: string; count: number }>(
        `select application_name as name, count(*)::int from pg_stat_activity
         where datname = current_database() and application_name ~ '^docket-(worker|worker-beside|queue|duties|audit|lease)$'
         group by application_name
         union all
         select 'all', count(*)::int from pg_stat_activity
         where datname = current_database() and application_name ~ '^docket-' and application_name !~ '^docket-test '`,
      );
      for (const { name, count } of counts) most.set(name, Math.max(most.get(name) ?? 0, count));
      return arePublished(ask, jobs);
    },
    { withinMs: 60_000 },
  );
  // What each is made with, as the documentation of an installation adds it up: the slots and 16.
  const expected = {
    'docket-audit': 1,
    'docket-duties': 2,
    'docket-lease': 1,
    'docket-queue': 8 + 6,
    'docket-worker': 4,
    'docket-worker-beside': 2,
  };
  for (const [name, count] of Object.entries(expected)) {
    assert.ok(most.get(name)! <= count, `${most.get(name)} of ${name}`);
  }
  assert.equal(
    each,
    Object.values(expected).reduce((sum, count) => sum + count, 0),
  );
  assert.ok(most.get('all')! <= each, `${most.get('all')} in all`);
  assert.ok(most.get('all')! > 8, 'it was busy');
  await worker.stop();
});

test('connections that are cut at random, of any kind and in any number, lose no job and hold none up', async (t) => {
  const worker = await fixture.startWorker(createNullEngine());
  const jobs = await deliverMany('cut', JOBS);
  const leases = new Set<string>();
  for (let cut = 0; cut < 20 && !(await arePublished(ask, jobs)); cut += 1) {
    leases.add(worker.leaseId);
    await fixture.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'docket-' || $1 || '%' and random() < 0.5`,
      [CUT[cut % CUT.length]],
    );
    await delay(100 + Math.random() * 100);
  }
  await eventually('every job is published', () => arePublished(ask, jobs), { withinMs: 60_000 });
  await worker.stop();
  assert.deepEqual(await fatesOf(ask, jobs), { lost: 0, doubled: 0 });
  t.diagnostic(`${leases.size} leases seen`);
});
