import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { Stage } from './stage.ts';
import { submissionRow } from './submission-row.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const operator = await createLogin(database, 'docket_operator');
const act = (text: string) => operator.pool.query(text);

/** Whatever is under way or waits is out of the way. */
async function settle(): Promise<void> {
  await stage.db.query('delete from docket.admission_gates');
  await stage.db.query('delete from docket.flow_limits');
  await stage.admit();
}

/** What check_submission answers for a row of carrier-a. */
async function check(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { rows } = await stage.sender.pool.query<Record<string, unknown>>(
    'select * from docket.check_submission($1)',
    [JSON.stringify(submissionRow(changes))],
  );
  return rows[0]!;
}

test('a dry run answers as the delivery would, and nothing stays of it', async () => {
  const counted = async () =>
    (
      await stage.db.query<{ n: number }>(
        `select ((select count(*) from docket.deliveries) + (select count(*) from docket.jobs)
           + (select count(*) from docket_audit.events) + (select count(*) from docket.receipt_orders))::int as n`,
      )
    ).rows[0]!.n;
  const before = await counted();
  await act(
    `select docket.set_flow_limit('source:carrier-a', '{"max_waiting": 50, "documents_per_minute": 6, "documents_burst": 2}', 'a test')`,
  );
  const eventsOfLimit = 1;
  const good = await check({ document_kind: 'delivery_receipt' });
  assert.deepEqual([good['code'], good['state'], good['lane']], [null, 'accepted', 'signature_critical']);
  assert.deepEqual(good['flow_limit'], {
    documents_per_minute: 6,
    documents_burst: 2,
    max_waiting: 50,
    on_excess: 'defer',
  });
  assert.equal((await check())['lane'], 'standard');
  const bad = await check({ sha256: 'ab' });
  assert.deepEqual([bad['code'], bad['job_id'], bad['lane']], ['ZD011', null, null]);
  assert.equal((await check({ colour: 'red' }))['code'], 'ZD078');
  assert.equal(await counted(), before + eventsOfLimit);
});

test('where a source rejects what is beyond its rate, a batch and a dry run say when to come again', async () => {
  await settle();
  await act(
    `select docket.set_flow_limit('source:carrier-a', '{"documents_per_minute": 6, "documents_burst": 1, "on_excess": "reject"}', 'a test')`,
  );
  await stage.deliver();
  assert.equal(await stage.admit(), 1);
  // The token is spent and one waits: it enters at 10 s, and another may be delivered then, which enters at 20 s.
  await stage.deliver();
  const refusal = await check();
  assert.equal(refusal['code'], 'ZD071');
  const seconds = Number(refusal['retry_after_seconds']);
  assert.ok(seconds >= 9 && seconds <= 20, String(seconds));
  assert.equal((refusal['flow_limit'] as Record<string, unknown>)['on_excess'], 'reject');
  const { rows } = await stage.sender.pool.query<{ code: string; retry_after_seconds: number }>(
    `select code, retry_after_seconds from docket.submit_batch(
       (select json_agg(json_build_object('source_id', 'carrier-a', 'sha256', encode(sha256(int4send(n)), 'hex'), 'locator', 'memory:x',
         'size_bytes', 1, 'media_type', 'image/png', 'captured_at', '2026-01-01')) from generate_series(1, 3) as n))`,
  );
  assert.deepEqual(
    rows.map(({ code }) => code),
    ['ZD071', 'ZD071', 'ZD071'],
  );
  assert.ok(rows.every(({ retry_after_seconds: after }) => after >= 9));
  await settle();
});
