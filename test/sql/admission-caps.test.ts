import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { AdmissionStage } from './admission-stage.ts';

const database = await createTestDatabase();
const admission = await AdmissionStage.open(database);
const { stage } = admission;
afterEach(() => admission.clear());

const delivered = async (sourceId: string) =>
  (
    await stage.db.query<{ count: number }>(
      'select count(*)::integer from docket.deliveries where source_id = $1',
      [sourceId],
    )
  ).rows[0]!.count;

// 150 MiB for the engine, and 8 times its size for a PNG: 200 MiB, 250 MiB and 950 MiB
const MIB = 1_048_576;
const SMALL = { sizeBytes: 6.25 * MIB };
const LARGE = { sizeBytes: 100 * MIB };

test('what is under way is held to a memory, of a source and of all', async () => {
  await admission.limit('source:storm', { max_in_flight_mb: 500 });
  await admission.deliver('storm', 4, SMALL);
  await admission.deliver('quiet', 4, SMALL);
  assert.equal(await admission.admit(), 6);
  assert.deepEqual(await admission.underWay(), { quiet: 4, storm: 2 });
  await admission.finish('storm', 1);
  assert.equal(await admission.admit(), 1);
  await admission.clear();

  await admission.limit('all', { max_in_flight_mb: 700 });
  await admission.deliver('storm', 4, SMALL);
  await admission.deliver('quiet', 4, SMALL);
  assert.equal(await admission.admit(), 3);
  const { rows } = await stage.db.query(
    'select sum(predicted_mb) as mb from docket.jobs where next_task is not null',
  );
  assert.deepEqual(rows, [{ mb: 600 }]);
});

test('a document larger than the cap enters alone, and what is behind it waits', async () => {
  await admission.limit('source:storm', { max_in_flight_mb: 500 });
  await admission.deliver('storm', 1, SMALL);
  await admission.deliver('storm', 1, LARGE);
  await admission.deliver('storm', 1, SMALL);
  assert.equal(await admission.admit(), 1, 'the large one is not passed');
  await admission.finish('storm', 1);
  assert.equal(await admission.admit(), 1);
  assert.equal(await admission.admit(), 0);
  await admission.finish('storm', 1);
  assert.equal(await admission.admit(), 1);
});

test('the memory of a document is predicted from its size and media type', async () => {
  const { rows } = await stage.db.query<{ mb: number }>(
    `select docket.predicted_mb(size, type) as mb from (values
       (0::bigint, 'image/png'), (1048576, 'image/png'), (1048576, 'image/jpeg'), (1048576, 'image/tiff'),
       (10485760, 'application/pdf'), (5368709120, 'image/jpeg')) as v (size, type)`,
  );
  assert.deepEqual(
    rows.map((row) => row.mb),
    [150, 158, 162, 154, 170, 1150],
  );
});

test('a delivery that makes more wait than may wait is refused whole, with a time to come back', async () => {
  await admission.limit('source:storm', { max_waiting: 5, documents_per_minute: 6, documents_burst: 1 });
  const before = await delivered('storm');
  await admission.deliver('storm', 4);
  await assert.rejects(admission.deliver('storm', 3), {
    code: 'ZD072',
    message: 'source_id: "storm": 4 documents wait, at most 5 may, and these are 3 more',
    // two too many, of which the burst takes one at once: a token in 10 s
    detail: 'retry after 10 s',
  });
  assert.equal(await delivered('storm'), before + 4);
  await admission.deliver('storm', 1);
  await admission.deliver('quiet', 10);
  await assert.rejects(admission.deliver('storm', 1), { code: 'ZD072' });
  await admission.admit();
  await admission.deliver('storm', 1);
  await assert.rejects(admission.deliver('storm', 1), { code: 'ZD072' });
  assert.equal(await delivered('storm'), before + 6);
});

test('what came since admission last counted is counted too, and of all sources together', async () => {
  await admission.limit('all', { max_waiting: 6 });
  await admission.close('all');
  await admission.deliver('storm', 2);
  await admission.deliver('quiet', 1, { kind: 'delivery_receipt' });
  await admission.admit();
  const { rows } = await stage.db.query('select waiting from docket.flow_states');
  assert.deepEqual(rows, [{ waiting: 3 }]);
  await admission.deliver('quiet', 2);
  await assert.rejects(admission.deliver('storm', 2), {
    code: 'ZD072',
    message: 'all sources together: as many documents wait as may',
    detail: 'retry after 10 s',
  });
  await admission.deliver('storm', 1);
  await assert.rejects(admission.deliver('quiet', 1), { code: 'ZD072' });
});

test('a source that is set to refuse takes nothing while documents of it wait for its rate', async () => {
  await admission.limit('source:strict', {
    documents_per_minute: 0.6,
    documents_burst: 2,
    on_excess: 'reject',
  });
  const before = await delivered('strict');
  await admission.deliver('strict', 2);
  await admission.deliver('strict', 3);
  assert.equal(await admission.admit(), 2);
  await assert.rejects(admission.deliver('strict', 1), (error: Record<string, unknown>) => {
    assert.equal(error['code'], 'ZD071');
    assert.equal(
      error['message'],
      'source_id: "strict": 3 documents wait for their turn, and more are refused until then',
    );
    // four tokens, one in 100 s
    const seconds = Number(/^retry after (\d+) s$/.exec(String(error['detail']))?.[1]);
    assert.ok(seconds > 350 && seconds <= 400, String(error['detail']));
    return true;
  });
  await admission.deliver('quiet', 1);
  assert.equal(await delivered('strict'), before + 5);
  await admission.pass(400);
  await admission.admit();
  await admission.pass(100);
  await admission.deliver('strict', 1);
});

test('a statement with rows of a refused source and of another is refused whole', async () => {
  await admission.limit('source:storm', { max_waiting: 1 });
  await admission.deliver('storm', 1);
  const { name, pool } = await admission.sender('storm');
  await admission.sender('quiet');
  await stage.db.query(`insert into docket.source_members (source_id, role_name) values ('quiet', $1)`, [
    name,
  ]);
  const before = await delivered('quiet');
  await assert.rejects(
    pool.query(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
       select source_id, sha256(source_id::bytea), 'memory:scan', 10, 'image/png', '2026-01-02 03:04:05+00', 'none'
       from unnest(array['quiet', 'storm']) as n (source_id)`,
    ),
    { code: 'ZD072' },
  );
  assert.equal(await delivered('quiet'), before);
});
