import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const config = {
  ...fixture.config,
  store: `file:${fixture.config.dataDir}/objects`,
  ocrSlots: 1,
  ioSlots: 1,
};

/** Everything the process waits for between two steps of one job, in its order. */
const POINTS: { pattern: string; call: number; step: string }[] = [
  { pattern: 'begin_attempts', call: 1, step: 'the start of hash' },
  { pattern: 'store get', call: 1, step: 'the fetch to hash' },
  { pattern: 'record_verified', call: 1, step: 'the record of verified' },
  { pattern: 'begin_attempts', call: 2, step: 'the start of ocr' },
  { pattern: 'store get', call: 2, step: 'the fetch to recognise' },
  { pattern: 'recognise', call: 1, step: 'recognition' },
  { pattern: 'record_results', call: 1, step: 'the record of the result' },
  { pattern: 'begin_attempts', call: 3, step: 'the start of publish' },
  { pattern: 'publish_results', call: 1, step: 'publication' },
  { pattern: 'delete from .*_private_jobs', call: 3, step: 'the end of the last message' },
];

for (const { pattern, call, step } of POINTS) {
  for (const when of ['before', 'after'] as const) {
    test(
      `a worker that dies ${when} ${step} leaves one result, published once`,
      { timeout: 60_000 },
      async () => {
        const victim = spawnWorker({ config, recogniseMs: 0, dieAt: { pattern, call, when } });
        await victim.lease;
        const [job] = await fixture.deliver(await fixture.put(`${when} ${step}`));
        assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });

        const rescuer = await fixture.startWorker(createNullEngine());
        await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
        await rescuer.stop();
        const events = await fixture.events(job!);
        for (const once of ['verified', 'extracted', 'published']) {
          assert.equal(events.filter((event) => event === once).length, 1, events.join(', '));
        }
        // What the queue gives out again is no attack.
        assert.ok(!events.includes('reference_refused'), events.join(', '));
        const { rows } = await fixture.db.query('select from docket.results where job_id = $1', [job]);
        assert.equal(rows.length, 1);
      },
    );
  }
}

test('the chains of events and the hashes of results hold after all of that', async () => {
  const { rows } = await fixture.db.query<{ failed_count: string }>('select * from docket.verify_all()');
  assert.ok(rows.length > 0);
  for (const row of rows) assert.equal(row.failed_count, '0');
});
