import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { FurtherStage } from './further-stage.ts';
import { refused } from './refused.ts';
import { randomHash, type Candidate } from './stage.ts';
import { JUDGED_AT, signatureReport, verifySigned } from './verify-signed.ts';

const database = await createTestDatabase();
const further = await FurtherStage.open(database);
const { stage, other } = further;
const operator = await createLogin(database, 'docket_operator');

const ENVELOPE = Buffer.from('an envelope');
const { rows: keys } = await stage.db.query<{ pem: string; crl: Buffer }>(
  `select '-----BEGIN PUBLIC KEY-----' || chr(10) || 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=' || chr(10)
     || '-----END PUBLIC KEY-----' || chr(10) as pem, '\\x3003020101'::bytea as crl`,
);
const { pem, crl } = keys[0]!;

/** Checks that are due or under way, by delivery. */
async function due(job: string): Promise<string[]> {
  const { rows } = await stage.db.query<{ delivery_id: string }>(
    'select delivery_id from docket.envelope_checks where job_id = $1 order by 1',
    [job],
  );
  return rows.map((row) => row.delivery_id);
}

/** The events about signatures of a job: their code and detail. */
async function checks(
  job: string,
): Promise<{ seq: number; code: string | null; detail: Record<string, unknown> }[]> {
  const { rows } = await stage.db.query<{
    seq: number;
    code: string | null;
    detail: Record<string, unknown>;
  }>(
    `select seq, code, detail::json as detail from docket_audit.events
     where job_id = $1 and event = 'envelope_checked' order by seq`,
    [job],
  );
  return rows;
}

/** Everything that is due is due at once. */
const hurry = () => stage.db.query(`update docket.envelope_checks set due_at = '2026-01-01'`);

async function claim(): Promise<commands.ClaimEnvelopeChecksRow[]> {
  await hurry();
  return commands.claimEnvelopeChecks(stage.worker, { limit: 100 });
}

const found = (delivery: string, judgedAt = JUDGED_AT, ...reports: ReturnType<typeof signatureReport>[]) =>
  JSON.stringify([{ delivery, place: 'envelope', judgedAt, reports }]);

async function record(delivery: string, code: string | null, signatures: string | null): Promise<string> {
  const rows = await commands.recordEnvelopeChecks(stage.worker, {
    deliveries: [delivery],
    codes: [code],
    signatures: [signatures],
  });
  return rows[0]!.outcome;
}

/** A published document with one later envelope, whose check is under way. */
async function underWay(): Promise<{ job: string; delivery: string; row: commands.ClaimEnvelopeChecksRow }> {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  const delivery = await further.deliver({ sha256, envelope: ENVELOPE }, stage.sender);
  await stage.admit();
  const row = (await claim()).find((one) => one.delivery_id === delivery);
  return { job, delivery, row: row! };
}

test('a later envelope of a source that sees the document is handed out with all that it is judged by', async () => {
  const { sourceId } = stage.sender;
  const [anchor] = await commands.addTrustAnchor(operator.pool, { sourceId, label: 'Depot key', pem });
  const [list] = await commands.addRevocationList(operator.pool, { sourceId, crl });
  const { job, delivery, row } = await underWay();
  const { rows } = await stage.db.query<{ received_at: string; sha256: Buffer }>(
    'select received_at, sha256 from docket.deliveries where delivery_id = $1',
    [delivery],
  );
  assert.deepEqual(
    [
      row.job_id,
      row.sha256,
      row.is_evidence,
      row.media_type,
      row.envelope,
      row.judged_at,
      row.seconds,
      row.code,
    ],
    [job, rows[0]!.sha256, false, 'image/png', ENVELOPE, rows[0]!.received_at, 120, null],
  );
  const numbers = [anchor!.trust_anchor_id, list!.revocation_list_id];
  assert.deepEqual(row.anchors, [
    {
      id: numbers[0],
      kind: 'key',
      purpose: 'signer',
      label: 'Depot key',
      pem,
      validFrom: null,
      validUntil: null,
    },
  ]);
  assert.deepEqual(row.revocation_lists, [numbers[1]]);
  assert.deepEqual(
    await commands.readRevocationLists(stage.worker, { revocationLists: row.revocation_lists }),
    [{ revocation_list_id: numbers[1], crl }],
  );
  assert.equal((row.candidates as Candidate[]).length, 2);
  assert.deepEqual(await commands.claimEnvelopeChecks(stage.worker, { limit: 100 }), []);
  await commands.withdrawTrustAnchor(operator.pool, { trustAnchorId: numbers[0]!, reason: 'test' });
  const again = await claim();
  assert.deepEqual(again.find((one) => one.delivery_id === delivery)?.anchors, []);
});

test('later deliveries without an envelope, and envelopes of sources that do not see the document, are not looked at', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  await further.deliver({ sha256 }, stage.sender);
  const hidden = await further.deliver({ sha256, envelope: ENVELOPE, locator: 'memory:copy' }, other);
  await stage.admit();
  assert.deepEqual(await due(job), []);
  await further.claim();
  await further.record({ [hidden]: null });
  assert.deepEqual(await due(job), [hidden]);
});

test('an envelope that was delivered before the bytes were seen is looked at once they are, unless the hash task did', async () => {
  for (const wasLookedAt of [false, true]) {
    const sha256 = randomHash();
    const job = await stage.deliver({ sha256, envelope: ENVELOPE });
    const second = await further.deliver({ sha256, envelope: ENVELOPE }, stage.sender);
    await stage.admit();
    const open = await stage.begin(job, 'hash');
    const evidence = (open.candidates as Candidate[])[0]!.delivery_id;
    const [first] = (
      await stage.db.query<{ delivery_id: string }>(
        'select min(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
        [job],
      )
    ).rows;
    assert.equal(String(evidence), second, 'the newest is tried first');
    const looked = [second, ...(wasLookedAt ? [first!.delivery_id] : [])].map((delivery) => ({
      delivery,
      place: 'envelope' as const,
      reports: [signatureReport()],
    }));
    await verifySigned(stage, open, looked);
    assert.deepEqual(await due(job), wasLookedAt ? [] : [first!.delivery_id]);
    assert.equal((await checks(job)).length, looked.length);
  }
});

test('the hash task is given its own delivery and the envelopes of its source, and a stale attempt nothing', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  await stage.deliver({ sha256, envelope: ENVELOPE });
  await stage.deliver({ sha256, envelope: Buffer.from('of another'), locator: 'memory:copy' }, other);
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  const [first] = (
    await stage.db.query<{ delivery_id: string }>(
      'select min(delivery_id) as delivery_id from docket.deliveries where job_id = $1',
      [job],
    )
  ).rows;
  const asked = { jobId: job, attempt: open.attempt, token: open.token, delivery: first!.delivery_id };
  const rows = await commands.readEnvelopes(stage.worker, asked);
  assert.deepEqual(
    rows.map((row) => [row.delivery_id === first!.delivery_id, row.envelope]),
    [
      [true, null],
      [false, ENVELOPE],
    ],
  );
  const stale = { ...asked, token: '00000000-0000-4000-8000-000000000000' };
  assert.deepEqual(await commands.readEnvelopes(stage.worker, stale), []);
});

test('the event of a check proves by a salted hash what was found', async () => {
  const { job, delivery } = await underWay();
  const report = signatureReport({ status: 'unknown_signer', signer: 'CN=Ünbekannt' });
  assert.equal(await record(delivery, null, found(delivery, JUDGED_AT, report)), 'checked');
  const [event] = await checks(job);
  const { rows } = await stage.db.query<{ salt: Buffer; micros: string }>(
    `select t.salt, ((extract(epoch from s.checked_at) - 946684800) * 1000000)::bigint as micros
     from docket.signatures s join docket.job_salts t using (job_id) where job_id = $1`,
    [job],
  );
  const number = (bits: 32 | 64, value: bigint) => {
    const bytes = Buffer.alloc(bits / 8);
    if (bits === 64) bytes.writeBigInt64BE(value);
    else bytes.writeInt32BE(Number(value));
    return bytes;
  };
  const text = (value: string) => [number(32, BigInt(Buffer.byteLength(value))), Buffer.from(value)];
  const judgedMicros = BigInt(Date.parse(JUDGED_AT) - Date.UTC(2000, 0, 1)) * 1000n;
  const bytes = Buffer.concat([
    rows[0]!.salt,
    Buffer.from('docket.signatures.1\n'),
    number(64, BigInt(delivery)),
    ...text('envelope'),
    number(32, 1n),
    ...text('carrier-a'),
    number(64, judgedMicros),
    number(64, BigInt(rows[0]!.micros)),
    ...text(JSON.stringify(report)),
  ]);
  assert.deepEqual(event, {
    seq: event!.seq,
    code: null,
    detail: {
      delivery: Number(delivery),
      source: 'carrier-a',
      places: ['envelope'],
      statuses: ['unknown_signer'],
      salted_report_sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  });
});

test('what a check found is kept to the letter, and refuses nothing after the fact', async () => {
  const { job, delivery } = await underWay();
  const report = signatureReport({
    status: 'invalid',
    isIntact: false,
    digestMatches: null,
    coverage: null,
    findings: ['SIGNATURE_BROKEN'],
    signedAt: '2026-09-28T07:06:05Z',
    signedAtBy: 'signer',
  });
  await record(delivery, null, found(delivery, JUDGED_AT, report));
  const { rows } = await stage.db.query<Record<string, unknown>>(
    `select status, is_intact, digest_matches, coverage, findings, signed_at = '2026-09-28 07:06:05+00' as is_then, signed_at_by,
       encode(signer_sha256, 'hex') as signer, report::json as report
     from docket.document_signatures where job_id = $1`,
    [job],
  );
  assert.deepEqual(rows, [
    {
      status: 'invalid',
      is_intact: false,
      digest_matches: null,
      coverage: null,
      findings: ['SIGNATURE_BROKEN'],
      is_then: true,
      signed_at_by: 'signer',
      signer: 'ab'.repeat(32),
      report: JSON.parse(JSON.stringify(report)) as unknown,
    },
  ]);
  assert.deepEqual(
    (await stage.db.query<{ state: string }>('select state from docket.jobs where job_id = $1', [job])).rows,
    [{ state: 'published' }],
  );
  assert.deepEqual(await due(job), []);
});

test('a check that failed is made again while that may help, then given up with an event that says why', async () => {
  const { job, delivery } = await underWay();
  assert.equal(await record(delivery, 'WORKER_STOPPING', null), 'retry');
  for (let tries = 1; tries < 3; tries += 1) {
    await claim();
    assert.equal(await record(delivery, 'CHECK_TIMEOUT', null), 'retry', `try ${String(tries)}`);
  }
  await claim();
  assert.equal(await record(delivery, 'CHECK_TIMEOUT', null), 'given_up');
  assert.deepEqual(await due(job), []);
  assert.deepEqual(
    (await checks(job)).map(({ code, detail }) => [code, detail]),
    [['CHECK_TIMEOUT', { delivery: Number(delivery), source: 'carrier-a' }]],
  );
  assert.equal(await record(delivery, null, null), 'stale');
  await refused('ZD022', record(delivery, 'NO_SUCH_CODE', null));
});

test('who nobody came back from twenty times is handed out no more', async () => {
  const { delivery } = await underWay();
  await stage.db.query('update docket.envelope_checks set tries = 20 where delivery_id = $1', [delivery]);
  const row = (await claim()).find((one) => one.delivery_id === delivery);
  assert.equal(row?.code, 'CRASH_LOOP');
  assert.equal(await record(delivery, 'CRASH_LOOP', null), 'given_up');
});

test('several deliveries of one document that are recorded in one call have an event each', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  for (let n = 0; n < 3; n += 1) await stage.deliver({ sha256, envelope: ENVELOPE });
  await stage.admit();
  await claim();
  const rows = await commands.recordEnvelopeChecks(stage.worker, {
    deliveries: await due(job),
    codes: [null, 'OBJECT_DAMAGED', null],
    signatures: (await due(job)).map((delivery) => found(delivery, JUDGED_AT, signatureReport())),
  });
  assert.deepEqual(
    rows.map((row) => row.outcome),
    ['checked', 'given_up', 'checked'],
  );
  assert.deepEqual(
    (await checks(job)).map((event) => event.code),
    [null, null, 'OBJECT_DAMAGED'],
  );
});

test('signatures are judged anew when staff orders it, for the time that is stated; the newest check counts', async () => {
  const { job, delivery } = await underWay();
  await record(delivery, null, found(delivery, JUDGED_AT, signatureReport({ status: 'expired' })));
  for (const group of ['docket_operator', 'docket_evidence_owner', 'docket_auditor'] as const) {
    const person = await createLogin(database, group);
    const ordered = await commands.orderEnvelopeChecks(person.pool, {
      jobs: [job],
      judgedAt: '2025-01-02T03:04:05Z',
    });
    assert.deepEqual(ordered, [{ job_id: job, ordered: 1 }]);
    const row = (await claim()).find((one) => one.delivery_id === delivery);
    assert.equal(Date.parse(row!.judged_at), Date.UTC(2025, 0, 2, 3, 4, 5));
    await record(
      delivery,
      null,
      found(delivery, '2025-01-02T03:04:05Z', signatureReport({ status: 'valid' })),
    );
    assert.equal((await checks(job)).at(-1)!.detail['ordered_by'], person.name);
  }
  const { rows } = await stage.db.query('select status from docket.document_signatures where job_id = $1', [
    job,
  ]);
  assert.deepEqual(rows, [{ status: 'valid' }]);
  const { rows: all } = await stage.db.query('select from docket.signatures where job_id = $1', [job]);
  assert.equal(all.length, 4);
});

test('what is ordered anew while it is being checked is checked once more', async () => {
  const { job, delivery } = await underWay();
  await commands.orderEnvelopeChecks(operator.pool, { jobs: [job], judgedAt: null });
  assert.equal(await record(delivery, null, found(delivery)), 'again');
  assert.deepEqual(await due(job), [delivery]);
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
  const row = (await claim()).find((one) => one.job_id === pdf);
  assert.deepEqual([row?.is_evidence, row?.media_type, row?.envelope], [true, 'application/pdf', null]);
});

test('unknown documents and times that mean nothing are refused', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const job = await stage.published();
  await refused('ZD020', commands.orderEnvelopeChecks(operator.pool, { jobs: [unknown], judgedAt: null }));
  await refused('ZD045', commands.orderEnvelopeChecks(operator.pool, { jobs: [job], judgedAt: 'infinity' }));
  await refused(
    'ZD045',
    commands.orderEnvelopeChecks(operator.pool, { jobs: [job], judgedAt: '1850-01-01' }),
  );
});

test('after all of that the database proves every signature by its events', async () => {
  const rows = [...(await commands.verifyChains(stage.db)), ...(await commands.verifyResults(stage.db))];
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0'),
    [],
  );
});
