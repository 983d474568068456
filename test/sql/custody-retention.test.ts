import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta, further } = custody;
const { stage } = further;

/** Kind that is kept for ten years, because nobody said otherwise. */
const TEN_YEARS = 'weighbridge_ticket';
const LONG_TEXT = ['Weighbridge ticket 4711: gross 12 t, tare 4 t, net 8 t'];

const retainUntil = async (job: string): Promise<string | null> =>
  ((await custody.custody(job))['retain_until'] as string | null) ?? null;

async function receivedAt(job: string, sourceId = 'carrier-a'): Promise<Date> {
  const { rows } = await custody.db.query<{ at: string }>(
    'select received_at as at from docket.document_sources where job_id = $1 and source_id = $2',
    [job, sourceId],
  );
  return new Date(rows[0]!.at);
}

/** A time so many years later, by the calendar in UTC. */
function later(time: Date, years: number): number {
  const copy = new Date(time);
  copy.setUTCFullYear(copy.getUTCFullYear() + years);
  return copy.getTime();
}

const sweep = (limit = 100): Promise<commands.EndRetentionsRow[]> =>
  commands.endRetentions(stage.worker, { limit });

const extend = (job: string, until: string, by = anna): Promise<unknown> =>
  commands.extendRetention(by.pool, { jobs: [job], until, reason: 'claim expected' });

test('a document is kept ten years from its receipt unless a rule says otherwise, and is not disposed of earlier', async () => {
  const { job } = await custody.published({ documentKind: TEN_YEARS, pages: LONG_TEXT });
  assert.equal(Date.parse((await retainUntil(job))!), later(await receivedAt(job), 10));
  const error = await refused('ZD031', custody.request(job));
  assert.match(error.message, /kept until/);
});

test('a rule is for what is received after it was made: what is there keeps its own', async () => {
  const kind = 'arrival_notice';
  const pages = ['Notice of arrival of the vessel at berth seven, with forty containers for discharge'];
  const before = await custody.published({ documentKind: kind, pages });
  await commands.setRetention(anna.pool, { documentKind: kind, retention: '2 years', reason: 'new law' });
  const between = await custody.published({ documentKind: kind, pages });
  await commands.setRetention(anna.pool, { documentKind: kind, retention: '7 years', reason: 'newer law' });
  const after = await custody.published({ documentKind: kind, pages });
  for (const [{ job }, years] of [
    [before, 10],
    [between, 2],
    [after, 7],
  ] as const)
    assert.equal(Date.parse((await retainUntil(job))!), later(await receivedAt(job), years), String(years));
});

test('a rule whose transaction stays open for long does not reach back when it is committed', async () => {
  const client = await anna.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select docket.set_retention('weighbridge_ticket', '1 second', 'to be rid of it')`);
    const { job } = await custody.published({ documentKind: TEN_YEARS, pages: LONG_TEXT });
    await client.query('commit');
    assert.equal(Date.parse((await retainUntil(job))!), later(await receivedAt(job), 10));
    await refused('ZD031', custody.request(job));
  } finally {
    client.release();
  }
  await commands.setRetention(anna.pool, {
    documentKind: TEN_YEARS,
    retention: '10 years',
    reason: 'as before',
  });
});

test('a retention is a positive span with a reason, for a kind that is known, and made by evidence owners', async () => {
  const rule = { documentKind: 'unknown', retention: '1 year', reason: 'law' };
  for (const retention of ['0', '-1 days', '1 mon -30 days', '201 years'])
    await refused('ZD037', commands.setRetention(anna.pool, { ...rule, retention }));
  await refused('ZD021', commands.setRetention(anna.pool, { ...rule, reason: ' ' }));
  await refused('ZD015', commands.setRetention(anna.pool, { ...rule, documentKind: 'postcard' }));
  await refused('42501', commands.setRetention(stage.worker, rule));
});

test('another kind can lengthen the retention of a document, never shorten it', async () => {
  const amend = (job: string, documentKind: string) =>
    commands.amendMetadata(anna.pool, { jobs: [job], documentKind, note: null, reason: 'misread' });
  const short = await custody.published();
  await amend(short.job, TEN_YEARS);
  const long = later(await receivedAt(short.job), 10);
  assert.equal(Date.parse((await retainUntil(short.job))!), long);
  await amend(short.job, 'unknown');
  assert.equal(Date.parse((await retainUntil(short.job))!), long, 'once taken for it, kept for it');

  const tenYears = await custody.published({ documentKind: TEN_YEARS, pages: LONG_TEXT });
  await amend(tenYears.job, 'unknown');
  assert.equal(Date.parse((await retainUntil(tenYears.job))!), later(await receivedAt(tenYears.job), 10));
});

test('each source has a document kept from the receipt of its own delivery', async () => {
  const { job, sha256 } = await custody.published();
  const first = Date.parse((await retainUntil(job))!);
  await custody.deliver({ sha256, sender: further.other, documentKind: TEN_YEARS });
  assert.equal(Date.parse((await retainUntil(job))!), first, 'its bytes were not seen yet');
  const [check] = await further.claim();
  await further.record({ [check!.delivery_id]: null });
  assert.equal(Date.parse((await retainUntil(job))!), later(await receivedAt(job, 'carrier-b'), 10));
});

test('a retention is extended to a later time only, as an event', async () => {
  const { job } = await custody.published();
  await extend(job, '2031-05-06T07:08:09.123456Z');
  assert.equal(Date.parse((await retainUntil(job))!), Date.parse('2031-05-06T07:08:09.123Z'));
  const { event, actor, detail } = await stage.lastEvent(job);
  assert.deepEqual(
    [event, actor, detail],
    ['retention_extended', anna.name, { until: '2031-05-06T07:08:09.123456Z' }],
  );
  for (const until of ['2031-05-06T07:08:09.123456Z', '2030-01-01', '2001-01-01', '10000-01-01', 'infinity'])
    await refused('ZD037', extend(job, until, berta));
  await refused('ZD031', custody.request(job));
});

test('an extension after the request keeps the document from being disposed of', async () => {
  const { job } = await custody.published();
  await custody.request(job);
  await extend(job, '2040-01-01', berta);
  await refused('ZD031', custody.approve(job));
  assert.equal((await custody.custody(job))['disposal'], 'requested');
});

test('the sweep asks for the disposal of what was kept long enough, and destroys nothing', async () => {
  await custody.db.query('select docket.end_retentions(10000)');
  const over = await custody.published();
  const running = await custody.published({ documentKind: TEN_YEARS, pages: LONG_TEXT });
  const extended = await custody.published();
  await extend(extended.job, '2040-01-01');
  const held = await custody.published();
  await commands.placeHold(anna.pool, { jobs: [held.job], matter: 'C-1', reason: 'court' });
  const quarantined = await custody.quarantined();
  assert.deepEqual(
    (await sweep()).map((row) => row.job_id),
    [over.job],
  );
  assert.deepEqual(await sweep(), []);
  for (const { job } of [running, extended, held, quarantined])
    assert.equal((await custody.custody(job))['disposal'], null);
  const { event, actor } = await stage.lastEvent(over.job);
  assert.deepEqual([event, actor], ['retention_ended', 'docket_worker']);
  assert.deepEqual(await custody.tablesWith(over.wrappedKey.toString('hex')), ['docket.object_keys']);

  // one person is enough now, because another actor has asked
  await custody.approve(over.job, anna);
  assert.equal((await custody.custody(over.job))['disposal'], 'disposed');
  assert.deepEqual(await custody.wrong(), []);
});

test('what an evidence owner withdrew is not asked for again, until a longer retention is over', async () => {
  const { job } = await custody.published();
  const asked = async () => (await sweep()).some((row) => row.job_id === job);
  assert.equal(await asked(), true);
  await commands.withdrawDisposal(anna.pool, { jobs: [job], reason: 'for the museum' });
  assert.equal(await asked(), false);
  // an extension that is over by the next sweep; its own command takes future times only
  await custody.db.query(
    `insert into docket.retention_extensions (job_id, retain_until, reason, extended_by)
     values ($1, clock_timestamp(), 'a moment', 'test')`,
    [job],
  );
  assert.equal(await asked(), true);
});

test('the sweep asks for the oldest first, so many at a time, and one process does it', async () => {
  await custody.db.query('select docket.end_retentions(10000)');
  const [first, second] = [await custody.published(), await custody.published()];
  const client = await custody.db.connect();
  try {
    await client.query('begin');
    await client.query(`select from docket.duties where duty = 'retain' for update`);
    assert.deepEqual(await sweep(), []);
  } finally {
    await client.query('rollback');
    client.release();
  }
  assert.deepEqual(
    (await sweep(1)).map((row) => row.job_id),
    [first.job],
  );
  assert.deepEqual(
    (await sweep(1)).map((row) => row.job_id),
    [second.job],
  );
});

test('the time zone of a session moves no retention', async () => {
  // half a year away the clocks of most zones are set otherwise
  const kind = { documentKind: 'packing_list', retention: '6 months', reason: 'short' };
  await commands.setRetention(anna.pool, kind);
  const { job } = await custody.published({
    ...kind,
    pages: ['Packing list: ten cartons of bolts, four cartons of nuts, one of washers'],
  });
  const client = await custody.db.connect();
  try {
    const seen = new Set<string>();
    for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia']) {
      await client.query(`select set_config('timezone', $1, false)`, [zone]);
      const { rows } = await client.query<{ at: string }>(
        `select extract(epoch from docket.retain_until($1))::text as at`,
        [job],
      );
      seen.add(rows[0]!.at);
    }
    assert.equal(seen.size, 1);
  } finally {
    client.release(true);
  }
});
