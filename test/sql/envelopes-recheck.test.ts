import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { ENVELOPE, EnvelopesStage, found } from './envelopes-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';
import { JUDGED_AT, signatureReport, verifySigned } from './verify-signed.ts';

const database = await createTestDatabase();
const envelopes = await EnvelopesStage.open(database);
const { stage } = envelopes;
const operator = await createLogin(database, 'docket_operator');

test('a check that failed is made again while that may help, then given up with an event that says why', async () => {
  const { job, delivery } = await envelopes.underWay();
  assert.equal(await envelopes.record(delivery, 'WORKER_STOPPING', null), 'retry');
  for (let tries = 1; tries < 3; tries += 1) {
    await envelopes.claim();
    assert.equal(await envelopes.record(delivery, 'CHECK_TIMEOUT', null), 'retry', `try ${String(tries)}`);
  }
  await envelopes.claim();
  assert.equal(await envelopes.record(delivery, 'CHECK_TIMEOUT', null), 'given_up');
  assert.deepEqual(await envelopes.due(job), []);
  assert.deepEqual(
    (await envelopes.checks(job)).map(({ code, detail }) => [code, detail]),
    [['CHECK_TIMEOUT', { delivery: Number(delivery), source: 'carrier-a' }]],
  );
  assert.equal(await envelopes.record(delivery, null, null), 'stale');
  await refused('ZD022', envelopes.record(delivery, 'NO_SUCH_CODE', null));
});

test('for an outage no check of signatures is given up, however long it lasts', async () => {
  const { delivery } = await envelopes.underWay();
  for (let tries = 0; tries < 30; tries += 1) {
    assert.equal(await envelopes.record(delivery, 'STORE_UNAVAILABLE', null), 'retry');
    const row = (await envelopes.claim()).find((one) => one.delivery_id === delivery);
    assert.equal(row?.code, null);
  }
});

test('who nobody came back from twenty times is handed out no more', async () => {
  const { delivery } = await envelopes.underWay();
  await stage.db.query('update docket.envelope_checks set tries = 20 where delivery_id = $1', [delivery]);
  const row = (await envelopes.claim()).find((one) => one.delivery_id === delivery);
  assert.equal(row?.code, 'CRASH_LOOP');
  assert.equal(await envelopes.record(delivery, 'CRASH_LOOP', null), 'given_up');
});

test('several deliveries of one document that are recorded in one call have an event each', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  for (let n = 0; n < 3; n += 1) await stage.deliver({ sha256, envelope: ENVELOPE });
  await stage.admit();
  await envelopes.claim();
  const rows = await commands.recordEnvelopeChecks(stage.worker, {
    deliveries: await envelopes.due(job),
    codes: [null, 'OBJECT_DAMAGED', null],
    signatures: (await envelopes.due(job)).map((delivery) => found(delivery, JUDGED_AT, signatureReport())),
  });
  assert.deepEqual(
    rows.map((row) => row.outcome),
    ['checked', 'given_up', 'checked'],
  );
  assert.deepEqual(
    (await envelopes.checks(job)).map((event) => event.code),
    [null, null, 'OBJECT_DAMAGED'],
  );
});

test('signatures are judged anew when staff orders it, for the time that is stated; the newest check counts', async () => {
  const { job, delivery } = await envelopes.underWay();
  await envelopes.record(delivery, null, found(delivery, JUDGED_AT, signatureReport({ status: 'expired' })));
  for (const group of ['docket_operator', 'docket_evidence_owner', 'docket_auditor'] as const) {
    const person = await createLogin(database, group);
    const ordered = await commands.orderEnvelopeChecks(person.pool, {
      jobs: [job],
      judgedAt: '2025-01-02T03:04:05Z',
    });
    assert.deepEqual(ordered, [{ job_id: job, ordered: 1 }]);
    const row = (await envelopes.claim()).find((one) => one.delivery_id === delivery);
    assert.equal(Date.parse(row!.judged_at), Date.UTC(2025, 0, 2, 3, 4, 5));
    await envelopes.record(
      delivery,
      null,
      found(delivery, '2025-01-02T03:04:05Z', signatureReport({ status: 'valid' })),
    );
    assert.equal((await envelopes.checks(job)).at(-1)!.detail['ordered_by'], person.name);
  }
  const { rows } = await stage.db.query('select status from docket.document_signatures where job_id = $1', [
    job,
  ]);
  assert.deepEqual(rows, [{ status: 'valid' }]);
  const { rows: all } = await stage.db.query('select from docket.signatures where job_id = $1', [job]);
  assert.equal(all.length, 4);
});

test('what is ordered anew while it is being checked is checked once more', async () => {
  const { job, delivery } = await envelopes.underWay();
  await commands.orderEnvelopeChecks(operator.pool, { jobs: [job], judgedAt: null });
  assert.equal(await envelopes.record(delivery, null, found(delivery)), 'again');
  assert.deepEqual(await envelopes.due(job), [delivery]);
});

test('a scan that may hold signatures is looked into again, for a picture without an envelope there is nothing to do', async () => {
  const open = await stage.running();
  assert.deepEqual(
    await commands.orderEnvelopeChecks(operator.pool, { jobs: [open.job_id], judgedAt: null }),
    [{ job_id: open.job_id, ordered: 0 }],
  );
  const pdf = await stage.deliver();
  await stage.admit();
  await verifySigned(stage, await stage.begin(pdf, 'hash'), [{ place: 'embedded', reports: [] }]);
  assert.deepEqual(await commands.orderEnvelopeChecks(operator.pool, { jobs: [pdf], judgedAt: null }), [
    { job_id: pdf, ordered: 1 },
  ]);
  const row = (await envelopes.claim()).find((one) => one.job_id === pdf);
  assert.deepEqual([row?.is_evidence, row?.media_type, row?.envelope], [true, 'application/pdf', null]);
});

test('unknown documents and times that mean nothing are refused', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const job = await stage.published();
  await refused('ZD020', commands.orderEnvelopeChecks(operator.pool, { jobs: [unknown], judgedAt: null }));
  const soon = new Date(Date.now() + 60_000).toISOString();
  for (const judgedAt of ['infinity', '1850-01-01', soon])
    await refused('ZD045', commands.orderEnvelopeChecks(operator.pool, { jobs: [job], judgedAt }));
});

test('after all of that the database proves every signature by its events', async () => {
  const rows = [...(await commands.verifyLog(stage.db)), ...(await commands.verifyResults(stage.db))];
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0'),
    [],
  );
});
