import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createSender, type Sender } from '../support/logins.ts';
import { asToken } from './as-token.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');

interface Age {
  lane: string;
  stage: string;
  jobs: number;
  is_more: boolean;
  oldest_at: string | null;
  age_seconds: number | null;
}

async function agesByLane(...sources: string[]): Promise<Age[]> {
  const { rows } = await asToken(
    database,
    { role: 'analyst', sources },
    'select * from docket_api.queue_ages()',
  );
  return rows as unknown as Age[];
}

/** Of the standard lane, in which everything is unless a test says otherwise. */
const agesOf = async (...sources: string[]) =>
  (await agesByLane(...sources)).filter(({ lane }) => lane === 'standard');

const counts = async (...sources: string[]) =>
  Object.fromEntries((await agesOf(...sources)).map(({ stage: name, jobs }) => [name, jobs]));

test('without jobs every stage is there, empty and without an age', async () => {
  const empty = { jobs: 0, is_more: false, oldest_at: null, age_seconds: null };
  assert.deepEqual(
    await agesByLane('*'),
    ['signature_critical', 'standard'].flatMap((lane) => [
      { lane, stage: 'accepted', ...empty },
      { lane, stage: 'running', ...empty },
      { lane, stage: 'validated', ...empty },
    ]),
  );
});

test('jobs are counted by stage for the sources that one sees, waiting and under way', async () => {
  const first = await stage.deliver();
  await stage.admit();
  await stage.running();
  await stage.validated();
  await stage.published();
  await stage.quarantined();
  await stage.deliver();
  await stage.deliver({}, other);
  await stage.deliver({}, other);
  assert.deepEqual(await counts('carrier-a'), { accepted: 2, running: 1, validated: 1 });
  assert.deepEqual(await counts('carrier-b'), { accepted: 2, running: 0, validated: 0 });
  assert.deepEqual(await counts('*'), { accepted: 4, running: 1, validated: 1 });
  assert.deepEqual(await counts(), { accepted: 0, running: 0, validated: 0 });
  const [accepted] = await agesOf('carrier-a');
  const { rows } = await stage.db.query<{ accepted_at: string; age: number }>(
    `select accepted_at, extract(epoch from clock_timestamp() - accepted_at)::float8 as age from docket.jobs where job_id = $1`,
    [first],
  );
  assert.equal(accepted?.oldest_at, rows[0]!.accepted_at);
  assert.ok(accepted.age_seconds! <= rows[0]!.age && accepted.age_seconds! > rows[0]!.age - 5);
});

test('a document is counted for the source that was seen to have it, not for who named its hash first', async () => {
  const before = { a: await counts('carrier-a'), b: await counts('carrier-b') };
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:nothing-there' });
  await stage.deliver({ sha256, locator: 'memory:b' }, other);
  const { rows } = await stage.db.query<{ id: string }>(
    'select max(delivery_id) as id from docket.deliveries',
  );
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'), Number(rows[0]!.id));
  await stage.begin(job, 'ocr');
  assert.deepEqual(await counts('carrier-a'), before.a);
  assert.deepEqual(await counts('carrier-b'), { ...before.b, running: 1 });
});

test('counts end at ten thousand and say so; the oldest is still the oldest', async () => {
  const deliverMany = (sender: Sender, count: number) =>
    sender.pool.query(
      `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
       select $1, sha256(convert_to($1 || n, 'UTF8')), 'memory:x', 1, 'image/png', now() from generate_series(1, $2::int) n`,
      [sender.sourceId, count],
    );
  const [before] = await agesOf('*');
  await deliverMany(other, 10_100);
  await deliverMany(stage.sender, 100);
  const [accepted] = await agesOf('*');
  assert.deepEqual([accepted?.jobs, accepted?.is_more], [10_000, true]);
  assert.equal(accepted?.oldest_at, before?.oldest_at);
  const [few] = await agesOf('carrier-a');
  assert.equal(few?.is_more, false);
});

test('each lane is counted by itself, waiting and under way', async () => {
  const critical = async () =>
    (await agesByLane('carrier-d'))
      .filter(({ lane }) => lane === 'signature_critical')
      .map(({ jobs }) => jobs);
  const sender = await createSender(database, 'carrier-d');
  const deliver = () => stage.deliver({ documentKind: 'delivery_receipt' }, sender);
  await deliver();
  assert.deepEqual(await critical(), [1, 0, 0]);
  assert.deepEqual(await counts('carrier-d'), { accepted: 0, running: 0, validated: 0 });
  await stage.admit();
  const second = await deliver();
  assert.deepEqual(await critical(), [2, 0, 0]);
  await stage.admit();
  await stage.verify(await stage.begin(second, 'hash'));
  await stage.begin(second, 'ocr');
  assert.deepEqual(await critical(), [1, 1, 0]);
});
