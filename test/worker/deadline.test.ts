import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
await fixture.db.query(`update docket.tasks set deadline = '1 second'`);

async function failureOf(job: string): Promise<string | undefined> {
  return eventually('an attempt failed', async () => {
    const { rows } = await fixture.db.query<{ failure: string }>(
      `select outcome || ' ' || code as failure from docket.attempts where job_id = $1 and code is not null order by attempt`,
      [job],
    );
    return rows[0]?.failure;
  });
}

test('recognition that outlasts its deadline is aborted before the database counts it as lost', async () => {
  const worker = await fixture.startWorker({
    ...createNullEngine(),
    recognise: (_file, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  });
  const [job] = await fixture.deliver(await fixture.put('slow to read'));
  assert.equal(await failureOf(job!), 'failed OCR_TIMEOUT');
  await worker.stop();
});

test('a store that does not answer in time is STORE_TIMEOUT', async () => {
  const silent = { ...fixture.store, get: () => new Promise<never>(() => undefined) };
  const worker = await fixture.startWorker(createNullEngine(), { store: silent });
  const [job] = await fixture.deliver(await fixture.put('slow to come'));
  assert.equal(await failureOf(job!), 'failed STORE_TIMEOUT');
  await worker.stop();
});
