import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sealAll } from '../sql/log-stage.ts';
import { result, Stage } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofMetric, scrape } from './scrape.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
let stage: Stage;
let series: Map<string, number>;

/** Brings a document as far as somebody has to begin `task`. */
async function dueFor(task: 'hash' | 'ocr' | 'publish'): Promise<string> {
  const job = await stage.deliver();
  await stage.admit();
  if (task === 'hash') return job;
  await stage.verify(await stage.begin(job, 'hash'));
  if (task === 'ocr') return job;
  await stage.record(await stage.begin(job, 'ocr'), result());
  return job;
}

before(async () => {
  stage = await Stage.open(database);
  for (let n = 0; n < 2; n += 1) {
    const job = await dueFor('publish');
    await stage.publish(await stage.begin(job, 'publish'));
  }
  const refused = await dueFor('ocr');
  await stage.fail(await stage.begin(refused, 'ocr'), 'CORRUPT');
  await sealAll(stage.worker);
  await stage.worker.query('select from docket.measure_ages(1000)');
  await dueFor('publish');
  await stage.begin(await dueFor('ocr'), 'ocr');
  await dueFor('ocr');
  await stage.deliver();
  await stage.db.query(
    `set role docket_operator; select docket.close_admission('source:carrier-a', 'a test'); reset role`,
  );
  await stage.deliver();
  series = await scrape(await serve(database));
});

test('documents that wait, are due, are at work and are not published are told as they are, by all and by source', () => {
  const documents = ofMetric(series, 'docket_documents');
  const oldest = ofMetric(series, 'docket_oldest_seconds');
  for (const group of [`by="all",group=""`, `by="source",group="carrier-a"`, `by="kind",group="unknown"`]) {
    const of = (figures: Record<string, number>, measure: string) =>
      figures[`{measure="${measure}",${group}}`];
    assert.deepEqual(
      ['waiting', 'admitted', 'running', 'unpublished'].map((measure) => of(documents, measure)),
      [2, 2, 1, 1],
      group,
    );
    for (const measure of ['waiting', 'admitted', 'running', 'unpublished']) {
      assert.ok(of(oldest, measure)! > 0, `${measure} ${group}`);
    }
  }
  assert.equal(documents['{measure="undeferred",by="all",group=""}'], 0, 'a gate holds what waits');
  assert.equal(documents['{measure="running",by="pool",group="ocr"}'], 1);
  assert.ok(oldest['{measure="unsealed",by="all",group=""}']! > 0);
});

test('documents that came out are counted, and as old as the database says', async () => {
  const counts = ofMetric(series, 'docket_age_documents');
  const ages = ofMetric(series, 'docket_age_seconds');
  const { rows } = await stage.db.query<{ measure: string; p95_ms: number }>(
    `select measure, p95_ms from docket.age_percentiles('1 hour')`,
  );
  assert.deepEqual(rows.map(({ measure }) => measure).sort(), [
    'admission',
    'publication',
    'recognition',
    'verification',
    'whole',
  ]);
  for (const { measure, p95_ms } of rows) {
    for (const window of ['1h', '1d']) {
      assert.equal(counts[`{measure="${measure}",window="${window}",by="all",group=""}`], 2, measure);
    }
    assert.equal(
      ages[`{measure="${measure}",window="1h",quantile="0.95",by="all",group=""}`],
      p95_ms / 1000,
      measure,
    );
  }
  assert.deepEqual(ofMetric(series, 'docket_quarantined_documents'), {
    '{code="CORRUPT",window="1h"}': 1,
    '{code="CORRUPT",window="1d"}': 1,
  });
  assert.ok(ofMetric(series, 'docket_seal_size')['']! > 10);
});
