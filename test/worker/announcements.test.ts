import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('two workers tell listeners of many documents by a few notifications', async () => {
  const listener = new pg.Client({ connectionString: fixture.config.databaseUrl });
  await listener.connect();
  try {
    let heard = 0;
    listener.on('notification', () => (heard += 1));
    await listener.query('listen docket_changes');
    const objects = await Promise.all(Array.from({ length: 30 }, (_, n) => fixture.put(`told ${n}`)));
    const startedMs = performance.now();
    const workers = await Promise.all([1, 2].map(() => fixture.startWorker(createNullEngine())));
    const jobs = await fixture.deliver(...objects);
    await eventually(
      'all are published',
      async () => (await fixture.states(jobs)).every((state) => state === 'published'),
      { withinMs: 30_000 },
    );
    const before = heard;
    await eventually('the end is told', () => heard > before);
    const most = (performance.now() - startedMs) / 200 + 1;
    assert.ok(heard <= most, `${heard} notifications, at most ${most.toFixed(0)} were expected`);
    await Promise.all(workers.map((worker) => worker.stop()));
  } finally {
    await listener.end();
  }
});
