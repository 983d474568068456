import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { tamper } from './log-forger.ts';
import { ReplayStage } from './replay-stage.ts';
import { signatureReport, verifySigned } from './verify-signed.ts';

const database = await createTestDatabase();
const replays = await ReplayStage.open(database);
const { stage } = replays;

/** A published PDF with one signature in it. */
async function signed(status: 'valid' | 'unsupported' = 'valid'): Promise<{ job: string; delivery: string }> {
  const job = await stage.deliver();
  await stage.admit();
  await verifySigned(stage, await stage.begin(job, 'hash'), [
    { place: 'embedded', reports: [signatureReport({ status })] },
  ]);
  await stage.record(await stage.begin(job, 'ocr'));
  await stage.publish(await stage.begin(job, 'publish'));
  const { delivery_id } = await stage.job(job);
  return { job, delivery: String(delivery_id) };
}

test('signatures must be found as they were, judged as they were', async () => {
  const { job, delivery } = await signed();
  const looked = (...reports: object[]) =>
    JSON.stringify([{ delivery, place: 'embedded', judgedAt: '2026-09-29T08:00:00Z', reports }]);
  const bring = async (signatures?: string) => {
    const { findings } = await replays.replay(job, signatures === undefined ? {} : { signatures });
    return findings.map(({ checked, expected, found }) => `${checked}: ${expected} → ${found}`);
  };
  assert.deepEqual(await bring(looked(signatureReport())), []);
  const was = 'envelope: valid whole_document';
  assert.deepEqual(await bring(), [`${was} → null`]);
  assert.deepEqual(await bring(looked()), [`${was} → none`]);
  assert.deepEqual(await bring(looked(signatureReport({ status: 'invalid', coverage: null }))), [
    `${was} → invalid`,
  ]);
  assert.deepEqual(await bring(looked(signatureReport({ signerSha256: 'cd'.repeat(32) }))), [
    `${was} → another signer`,
  ]);
  assert.deepEqual(await bring(looked(signatureReport({ isIntact: false }))), [`${was} → another signer`]);
  // what a release takes for weak changes, and is no finding by itself
  assert.deepEqual(await bring(looked(signatureReport({ status: 'weak_algorithm' }))), []);
  assert.equal(
    (await bring(looked(signatureReport({ status: 'weak_algorithm', digestMatches: false })))).length,
    1,
  );
  await tamper(stage.db, (client) =>
    client.query(`update docket.signatures set report = replace(report, 'Nord', 'West') where job_id = $1`, [
      job,
    ]),
  );
  assert.match((await bring(looked(signatureReport())))[0]!, /^envelope: [0-9a-f]{64} → [0-9a-f]{64}$/);
});

test('signatures are judged by the anchors and lists of then, also where they changed while it was checked', async () => {
  const { job } = await signed();
  const add = async (label: string, added: string, withdrawn: string | null) => {
    await stage.db.query(
      `insert into docket.trust_anchors (source_id, anchor_kind, label, pem, der_sha256, added_by, added_at, withdrawn_at, withdrawn_by, withdrawn_because)
       select 'carrier-a', 'key', $2::text, 'pem', sha256(convert_to($2::text, 'UTF8')), 'somebody', e.at + $3::interval, e.at + $4::text::interval, w.who, w.who
       from docket_audit.events e cross join (select case when $4::text is not null then 'somebody' end) as w (who)
       where e.job_id = $1 and e.event = 'envelope_checked'`,
      [job, label, added, withdrawn],
    );
  };
  const labels = async () => {
    const rows = await commands.replayEnvelopes(stage.worker, { jobId: job });
    return rows.map((row) => (row.anchors as { label: string }[]).map((one) => one.label));
  };
  await add('always', '-1 hour', null);
  await add('withdrawn since', '-1 hour', '1 second');
  await add('withdrawn before', '-2 hours', '-1 hour');
  await add('later', '1 second', null);
  assert.deepEqual(await labels(), [], 'nothing while it is not being replayed');
  const replay = await replays.start(job);
  assert.deepEqual(await labels(), [['always', 'withdrawn since']]);
  await add('just before', '-1 second', null);
  assert.deepEqual((await labels()).map((one) => one.length).toSorted(), [2, 3]);
  await replays.record(replay, job);
});
