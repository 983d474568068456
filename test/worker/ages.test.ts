import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const { db } = fixture;

test('a worker counts how long each document took that it published, once', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  const objects = await Promise.all(Array.from({ length: 10 }, (_, n) => fixture.put(`aged ${String(n)}`)));
  await fixture.deliver(...objects);
  const counted = async () =>
    (
      await db.query<{ measure: string; documents: string }>(
        `select measure, documents from docket.age_percentiles('2 hours')`,
      )
    ).rows;
  await eventually('all ten are counted', async () =>
    (await counted()).some((row) => row.measure === 'whole' && row.documents === '10'),
  );
  await worker.stop();
  assert.deepEqual(
    (await counted()).map((row) => `${row.measure} ${row.documents}`),
    ['admission 10', 'publication 10', 'recognition 10', 'verification 10', 'whole 10'],
  );
});
