import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);

test('20,000 documents of one source that wait keep no other source and no critical paper from entering', async () => {
  await admission.deliver('flood', 20_000);
  assert.equal(await admission.admit(100), 100);
  await admission.deliver('quiet', 2);
  await admission.deliver('flood', 1, { kind: 'delivery_receipt' });
  assert.equal(await admission.admit(101), 2);
  assert.deepEqual(await admission.underWay(), { flood: 101, quiet: 1 });
  const { rows } = await admission.stage.db.query(
    `select source_id, waiting, gate, flow_limit, next_at, in_flight from docket.admission_state()`,
  );
  assert.deepEqual(rows, [
    { source_id: 'flood', waiting: 10_000, gate: null, flow_limit: null, next_at: null, in_flight: 101 },
    { source_id: 'quiet', waiting: 1, gate: null, flow_limit: null, next_at: null, in_flight: 1 },
  ]);
});

test('what waits is read in the order of an index, and no further than there is room', async () => {
  await admission.stage.db.query('analyze docket.jobs');
  for (const [lane, index] of [
    ['null', 'jobs__waiting_idx'],
    [`'signature_critical'`, 'jobs__lane_waiting_idx'],
  ]) {
    const { rows } = await admission.stage.db.query<Record<string, string>>(
      `explain (costs off) select * from docket.waiting_jobs('flood', ${lane!}, '{}', '-infinity', 5)`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, new RegExp(`Index Scan using ${index!} `));
    assert.doesNotMatch(plan, /Seq Scan|Bitmap/);
  }
});
