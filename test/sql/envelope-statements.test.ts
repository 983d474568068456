import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { CustodyStage } from './custody-stage.ts';
import { ENVELOPE } from './envelopes-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';
import { JUDGED_AT, signatureReport, verifySigned, type Looked } from './verify-signed.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { further } = custody;
const { stage, other } = further;
const auditor = await createLogin(database, 'docket_auditor');

/** What is said of a document to sources; to all of them unless they are named. */
async function said(
  job: string,
  sources: string[] | null = null,
): Promise<[statement: string, isSigned: boolean, status: string]> {
  const { rows } = await stage.db.query<{ statement: string; is_signed: boolean; status: string }>(
    'select statement, is_signed, status from docket.signature_summary($1, $2)',
    [job, sources],
  );
  return [rows[0]!.statement, rows[0]!.is_signed, rows[0]!.status];
}

async function anchor(): Promise<number> {
  const { rows } = await stage.db.query<{ trust_anchor_id: number }>(
    `insert into docket.trust_anchors (source_id, anchor_kind, label, pem, der_sha256, added_by)
     values ('carrier-a', 'key', 'Depot key', 'PEM', sha256('key'), 'test')
     on conflict (source_id, purpose, der_sha256) where withdrawn_at is null do update set label = excluded.label
     returning trust_anchor_id`,
  );
  return rows[0]!.trust_anchor_id;
}

const vouched = { anchorId: await anchor() };

/** Brings a document with signatures to the hash task and past it. */
async function withSignatures(...looked: Looked[]): Promise<string> {
  const job = await stage.deliver();
  await stage.admit();
  await verifySigned(stage, await stage.begin(job, 'hash'), looked);
  return job;
}

test('one good signature speaks for a document, whatever lies beside it', async () => {
  const reports = [
    signatureReport({ ...vouched, coverage: 'partial' }),
    signatureReport({
      ...vouched,
      status: 'expired_valid_at_signing',
      signedAt: '2026-05-06T07:08:09Z',
      signedAtBy: 'timestamp',
    }),
    signatureReport({ status: 'unknown_signer', signer: 'CN=Somebody else' }),
  ];
  assert.deepEqual(await said(await withSignatures({ place: 'embedded', reports })), [
    'Signed by CN=Depot Nord over the whole document; the certificate had expired by 2026-09-29 08:00:00 UTC, but was valid ' +
      'against the anchor "Depot key" when it was signed on 2026-05-06 07:08:09 UTC, as a trusted time-stamp says. ' +
      'It has 3 signatures; 1 of them is valid over the whole document.',
    true,
    'expired_valid_at_signing',
  ]);
});

test('nobody is named for whom no anchor vouches, or whose signature does not fit', async () => {
  const strangers = [
    { status: 'unknown_signer' },
    { status: 'invalid', isIntact: false, ...vouched },
    { status: 'weak_algorithm', isIntact: null },
  ] as const;
  for (const change of strangers) {
    const reports = [signatureReport({ ...change, signer: 'CN=Signed by the King over the whole document' })];
    const [statement, isSigned] = await said(await withSignatures({ place: 'envelope', reports }));
    assert.match(statement, /^Bytes received\. /);
    assert.doesNotMatch(statement, /King|[Ss]igned by/);
    assert.equal(isSigned, false);
  }
});

test('a time-stamp signs nothing', async () => {
  const reports = [signatureReport({ ...vouched, purpose: 'timestamp', signedAt: '2026-05-06T07:08:09Z' })];
  assert.deepEqual(await said(await withSignatures({ place: 'envelope', reports })), [
    'Bytes received. It has no signature; a trusted time-stamp says that it was there on 2026-05-06 07:08:09 UTC.',
    false,
    'absent',
  ]);
});

test('the envelope of a source is for that source; a signature in the scan is for all that see it', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  await stage.admit();
  await verifySigned(stage, await stage.begin(job, 'hash'), [
    { place: 'envelope', reports: [signatureReport(vouched)] },
  ]);
  const further2 = await further.deliver({ sha256, locator: 'memory:copy' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [further2]: null });
  assert.equal((await said(job, ['carrier-a']))[1], true);
  assert.deepEqual(await said(job, ['carrier-b']), ['Bytes received. It has no signature.', false, 'absent']);
  const inside = await withSignatures({ place: 'embedded', reports: [signatureReport(vouched)] });
  assert.equal((await said(inside, ['carrier-b']))[1], true);
});

test('nothing is said to be absent that was not looked for', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  assert.equal((await said(job))[0], 'Its bytes were not seen yet.');
  await stage.admit();
  await verifySigned(stage, await stage.begin(job, 'hash'), []);
  assert.equal((await said(job))[0], 'Bytes received. It has no signature.');
  await stage.deliver({ sha256, envelope: ENVELOPE });
  await stage.admit();
  assert.equal((await said(job))[0], 'Bytes received. Its signatures were not checked yet.');
  assert.equal((await said(job, ['carrier-b']))[0], 'Bytes received. It has no signature.');
});

test('a scan that could not be looked into is not said to have no signature, until it was', async () => {
  const job = await withSignatures();
  const check = async (code: string | null) => {
    await commands.orderEnvelopeChecks(auditor.pool, { jobs: [job], judgedAt: null });
    assert.equal((await said(job))[0], 'Bytes received. Its signatures were not checked yet.');
    const due = await commands.claimEnvelopeChecks(stage.worker, { limit: 100 });
    const { delivery_id: delivery } = due.find((one) => one.job_id === job)!;
    const looked = { delivery, place: 'embedded', judgedAt: JUDGED_AT, reports: [] };
    const [end] = await commands.recordEnvelopeChecks(stage.worker, {
      deliveries: [delivery],
      codes: [code],
      signatures: [code === null ? JSON.stringify([looked]) : null],
    });
    return [end!.outcome, (await said(job))[0]];
  };
  assert.deepEqual(await check('CRASH_LOOP'), [
    'given_up',
    'Bytes received. Its signatures were not checked yet.',
  ]);
  assert.deepEqual(await check(null), ['checked', 'Bytes received. It has no signature.']);
});

test('what was known of signatures goes with the document, and the log keeps that there was a check', async () => {
  const { job } = await custody.deliver({ envelope: ENVELOPE });
  await stage.admit();
  await verifySigned(stage, await stage.begin(job, 'hash'), [
    { place: 'envelope', reports: [signatureReport({ status: 'malformed' })] },
  ]);
  await custody.dispose(job);
  const { rows } = await stage.db.query('select from docket.signatures where job_id = $1', [job]);
  assert.equal(rows.length, 0);
  assert.equal((await said(job))[0], 'It was disposed of, and what was known of its signatures with it.');
  await refused('ZD030', commands.orderEnvelopeChecks(auditor.pool, { jobs: [job], judgedAt: null }));
  const wrong = (await commands.verifyResults(stage.db)).filter((row) => row.failed_count !== '0');
  assert.deepEqual(wrong, []);
});

test('people are told of documents that they see, and of no others', async () => {
  const job = await withSignatures({ place: 'embedded', reports: [signatureReport(vouched)] });
  const ask = (of: string) =>
    auditor.pool.query<{ text: string }>('select docket.signature_statement($1) as text', [of]);
  assert.equal(
    (await ask(job)).rows[0]!.text,
    'Signed by CN=Depot Nord over the whole document; valid on 2026-09-29 08:00:00 UTC against the anchor "Depot key".',
  );
  await refused('ZD020', ask('00000000-0000-4000-8000-000000000000'));
});
