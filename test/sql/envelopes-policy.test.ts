import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender, type Sender } from '../support/logins.ts';
import { FurtherStage } from './further-stage.ts';
import { randomHash, type Candidate, type Open } from './stage.ts';
import { signatureReport, verifySigned, type Looked } from './verify-signed.ts';

const database = await createTestDatabase();
const further = await FurtherStage.open(database);
const { stage, other } = further;
const operator = await createLogin(database, 'docket_operator');

async function sourceThatNeeds(requirement: string, signersRequired = 1): Promise<Sender> {
  const sender = await createSender(database, `needs-${requirement}-${String(signersRequired)}`);
  const { sourceId } = sender;
  await commands.setEnvelopePolicy(operator.pool, { requirement, reason: 'test', sourceId, signersRequired });
  return sender;
}

const SENDERS = {
  intact: stage.sender,
  recorded: await sourceThatNeeds('recorded'),
  signed: await sourceThatNeeds('signed'),
  'signed by two': await sourceThatNeeds('signed', 2),
};

async function opened(sender: Sender, sha256 = randomHash()): Promise<Open> {
  const job = await stage.deliver({ sha256 }, sender);
  await stage.admit();
  return stage.begin(job, 'hash');
}

/** What became of a document with signatures beside it. */
async function refusalOf(sender: Sender, looked: readonly Looked[]): Promise<string> {
  const open = await opened(sender);
  return outcomeOf(open, looked);
}

/** Records what was found; returns the failure code of the document, or "passed". */
async function outcomeOf(open: Open, looked: readonly Looked[]): Promise<string> {
  const outcome = await verifySigned(stage, open, looked);
  const { rows } = await stage.db.query<{ state: string; next_task: string; last_code: string | null }>(
    'select state, next_task, last_code from docket.jobs where job_id = $1',
    [open.job_id],
  );
  const { state, next_task, last_code } = rows[0]!;
  if (outcome === 'verified') {
    assert.deepEqual([state, next_task, last_code], ['accepted', 'ocr', null]);
    return 'passed';
  }
  assert.deepEqual([outcome, state, next_task], ['quarantined', 'quarantined', null]);
  return last_code!;
}

const beside = (...changes: Partial<SignatureReport>[]): Looked => ({
  place: 'envelope',
  reports: changes.map((change) => signatureReport(change)),
});
const inside = (...changes: Partial<SignatureReport>[]): Looked => ({
  ...beside(...changes),
  place: 'embedded',
});
const anotherSigner = { signerSha256: 'cd'.repeat(32) };

const CASES: [needs: keyof typeof SENDERS, found: string, looked: Looked[], end: string][] = [
  ['intact', 'no signature', [], 'passed'],
  ['intact', 'a valid one', [beside({})], 'passed'],
  ['intact', 'one of an unknown signer', [beside({ status: 'unknown_signer' })], 'passed'],
  ['intact', 'a weak one', [beside({ status: 'weak_algorithm' })], 'passed'],
  ['intact', 'one that cannot be read', [beside({ status: 'malformed' })], 'CORRUPT_ENVELOPE'],
  ['intact', 'one that does not fit', [beside({ status: 'invalid' })], 'SIGNATURE_INVALID'],
  ['intact', 'a good one and a broken one', [beside({}, { status: 'invalid' })], 'SIGNATURE_INVALID'],
  [
    'intact',
    'two sorts of broken',
    [beside({ status: 'malformed' }, { status: 'invalid' })],
    'SIGNATURE_INVALID',
  ],
  [
    'intact',
    'a good envelope, a broken one in the scan',
    [beside({}), inside({ status: 'invalid' })],
    'SIGNATURE_INVALID',
  ],
  [
    'intact',
    'a broken time-stamp',
    [beside({ status: 'invalid', purpose: 'timestamp' })],
    'SIGNATURE_INVALID',
  ],
  ['recorded', 'one that does not fit', [beside({ status: 'invalid' })], 'passed'],
  ['recorded', 'one that cannot be read', [inside({ status: 'malformed' })], 'passed'],
  ['signed', 'no signature', [], 'SIGNATURE_MISSING'],
  ['signed', 'a scan that was looked into, in vain', [inside()], 'SIGNATURE_MISSING'],
  ['signed', 'a valid one', [beside({})], 'passed'],
  ['signed', 'a valid one inside', [inside({})], 'passed'],
  [
    'signed',
    'one that was valid when it was made',
    [beside({ status: 'expired_valid_at_signing' })],
    'passed',
  ],
  ['signed', 'a valid one over a part', [inside({ coverage: 'partial' })], 'SIGNATURE_PARTIAL'],
  [
    'signed',
    'a change after the signature',
    [inside({ coverage: 'changed_after_signing' })],
    'SIGNATURE_PARTIAL',
  ],
  ['signed', 'a valid time-stamp alone', [beside({ purpose: 'timestamp' })], 'SIGNATURE_MISSING'],
  ['signed', 'a revoked signer', [beside({ status: 'revoked' })], 'SIGNER_REVOKED'],
  ['signed', 'an expired signer', [beside({ status: 'expired' })], 'SIGNER_EXPIRED'],
  ['signed', 'a signer not valid yet', [beside({ status: 'not_yet_valid' })], 'SIGNER_EXPIRED'],
  ['signed', 'an unknown signer', [beside({ status: 'unknown_signer' })], 'SIGNER_UNKNOWN'],
  ['signed', 'a weak one', [beside({ status: 'weak_algorithm' })], 'SIGNATURE_WEAK'],
  ['signed', 'one that cannot be checked', [beside({ status: 'unsupported' })], 'SIGNATURE_UNSUPPORTED'],
  ['signed', 'one that does not fit', [beside({ status: 'invalid' })], 'SIGNATURE_INVALID'],
  ['signed', 'a good one and a broken one', [beside({}, { status: 'malformed' })], 'CORRUPT_ENVELOPE'],
  [
    'signed',
    'a weak one and one of a revoked signer',
    [beside({ status: 'weak_algorithm' }, { status: 'revoked' })],
    'SIGNER_REVOKED',
  ],
  ['signed by two', 'one signer', [beside({})], 'SIGNERS_TOO_FEW'],
  ['signed by two', 'the same signer twice', [beside({}), inside({})], 'SIGNERS_TOO_FEW'],
  [
    'signed by two',
    'two, one of them over a part',
    [beside({}), inside({ ...anotherSigner, coverage: 'partial' })],
    'SIGNERS_TOO_FEW',
  ],
  ['signed by two', 'two signers', [beside({}), inside(anotherSigner)], 'passed'],
];

for (const [needs, found, looked, end] of CASES) {
  test(`where documents must be ${needs}, ${found}: ${end}`, async () => {
    assert.equal(await refusalOf(SENDERS[needs], looked), end);
  });
}

test('what is refused was verified before, has its checks recorded, and is not tried again', async () => {
  const open = await opened(stage.sender);
  assert.equal(await outcomeOf(open, [beside({ status: 'invalid' })]), 'SIGNATURE_INVALID');
  const { rows } = await stage.db.query<{ event: string; code: string | null; actor: string }>(
    'select event, code, actor from docket_audit.events where job_id = $1 order by seq',
    [open.job_id],
  );
  assert.deepEqual(
    rows.map(({ event, code }) => [event, code]),
    [
      ['accepted', null],
      ['admitted', null],
      ['verified', null],
      ['envelope_checked', null],
      ['quarantined', 'SIGNATURE_INVALID'],
    ],
  );
  assert.equal(await stage.admit(), 0);
  assert.deepEqual(await stage.tryToBegin(open.job_id, 'ocr'), []);
});

test('in one call of many each document is judged by itself, and answers stand in the order of the questions', async () => {
  const opens = [await opened(stage.sender), await opened(SENDERS.signed), await opened(stage.sender)];
  const of = (open: Open) => String((open.candidates as Candidate[])[0]!.delivery_id);
  const found = (open: Open, status: SignatureReport['status']) =>
    JSON.stringify([{ delivery: of(open), judgedAt: '2026-09-29T08:00:00Z', ...beside({ status }) }]);
  const rows = await commands.recordVerified(stage.worker, {
    jobs: opens.map((open) => open.job_id),
    attempts: opens.map((open) => open.attempt),
    tokens: [opens[0]!.token, opens[1]!.token, '00000000-0000-4000-8000-000000000000'],
    deliveries: opens.map(of),
    mediaTypes: opens.map(() => 'image/png'),
    signatures: [found(opens[0]!, 'malformed'), null, found(opens[2]!, 'malformed')],
  });
  assert.deepEqual(
    rows.map((row) => [row.job_id, row.outcome, row.code]),
    [
      [opens[0]!.job_id, 'quarantined', 'CORRUPT_ENVELOPE'],
      [opens[1]!.job_id, 'quarantined', 'SIGNATURE_MISSING'],
      [opens[2]!.job_id, 'stale', null],
    ],
  );
  const { rows: kept } = await stage.db.query('select from docket.signatures where job_id = $1', [
    opens[2]!.job_id,
  ]);
  assert.equal(kept.length, 0);
});

/** Delivers the same scan again, and begins anew where that brought the document back; undefined where it did not. */
async function again(sha256: Buffer, sender: Sender, envelope?: Buffer): Promise<Open | undefined> {
  const job = await stage.deliver(envelope ? { sha256, envelope } : { sha256 }, sender);
  await stage.admit();
  await stage.admit();
  const { rows } = await stage.db.query(
    'select from docket.jobs where job_id = $1 and next_task is not null',
    [job],
  );
  return rows.length === 0 ? undefined : stage.begin(job, 'hash');
}

test('a document that was refused for its signature is brought back by an envelope, and by no delivery without one', async () => {
  const sha256 = randomHash();
  const open = await opened(stage.sender, sha256);
  assert.equal(await outcomeOf(open, [beside({ status: 'malformed' })]), 'CORRUPT_ENVELOPE');
  assert.equal(await again(sha256, stage.sender), undefined);
  const second = await again(sha256, stage.sender, Buffer.from('intact'));
  const [given] = await commands
    .readEnvelopes(stage.worker, {
      jobId: open.job_id,
      attempt: second!.attempt,
      token: second!.token,
      delivery: String((open.candidates as Candidate[])[0]!.delivery_id),
    })
    .then((rows) => rows.filter((row) => row.envelope?.toString() === 'intact'));
  const good = { ...beside({}), delivery: given!.delivery_id };
  assert.equal(await outcomeOf(second!, [beside({ status: 'malformed' }), good]), 'passed');
});

test('an envelope brings back no document that was stopped for another reason; it is checked and kept', async () => {
  const sha256 = randomHash();
  const job = await stage.quarantined({ sha256 });
  assert.equal(await again(sha256, stage.sender, Buffer.from('intact')), undefined);
  const { rows } = await stage.db.query('select from docket.envelope_checks where job_id = $1', [job]);
  assert.equal(rows.length, 1);
});

test('a further envelope that is broken too brings nothing about', async () => {
  const sha256 = randomHash();
  const open = await opened(stage.sender, sha256);
  const first = [beside({ status: 'malformed' })];
  assert.equal(await outcomeOf(open, first), 'CORRUPT_ENVELOPE');
  const second = await again(sha256, stage.sender, Buffer.from('broken too'));
  const [newest] = (
    await stage.db.query<{ delivery_id: string }>(
      'select max(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
      [open.job_id],
    )
  ).rows;
  const broken = { ...beside({ status: 'invalid' }), delivery: newest!.delivery_id };
  assert.equal(await outcomeOf(second!, [...first, broken]), 'SIGNATURE_INVALID');
});

test('signers of several deliveries of the same source count together', async () => {
  const sender = SENDERS['signed by two'];
  const sha256 = randomHash();
  const open = await opened(sender, sha256);
  assert.equal(await outcomeOf(open, [beside({})]), 'SIGNERS_TOO_FEW');
  const second = await again(sha256, sender, Buffer.from('by the driver'));
  const [newest] = (
    await stage.db.query<{ delivery_id: string }>(
      'select max(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
      [open.job_id],
    )
  ).rows;
  const other = { ...beside(anotherSigner), delivery: newest!.delivery_id };
  assert.equal(await outcomeOf(second!, [beside({}), other]), 'passed');
});

test('a poor envelope of one source does not keep out another that has the same scan', async () => {
  const sha256 = randomHash();
  const open = await opened(stage.sender, sha256);
  assert.equal(await outcomeOf(open, [beside({ status: 'malformed' })]), 'CORRUPT_ENVELOPE');
  const delivery = await further.deliver({ sha256, locator: 'memory:copy' }, other);
  await stage.admit();
  await further.claim();
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'verified' });
  await stage.admit();
  const second = await stage.begin(open.job_id, 'hash');
  assert.equal(await outcomeOf(second, [beside({ status: 'malformed' })]), 'passed');
});

test('after all of that the database proves every signature by its events', async () => {
  const rows = await commands.verifyAll(stage.db);
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0'),
    [],
  );
  const signatures = rows.find((row) => row.checked === 'signatures');
  assert.ok(Number(signatures?.checked_count) > CASES.length - 5);
});
