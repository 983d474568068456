import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { ENVELOPE, EnvelopesStage, found } from './envelopes-stage.ts';
import { randomHash, type Candidate } from './stage.ts';
import { JUDGED_AT, signatureReport, verifySigned } from './verify-signed.ts';

const database = await createTestDatabase();
const envelopes = await EnvelopesStage.open(database);
const { further, stage } = envelopes;
const { other } = further;
const operator = await createLogin(database, 'docket_operator');

const pem = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;
const crl = Buffer.from('3003020101', 'hex');

test('a later envelope of a source that sees the document is handed out with all that it is judged by', async () => {
  const { sourceId } = stage.sender;
  const [anchor] = await commands.addTrustAnchor(operator.pool, { sourceId, label: 'Depot key', pem });
  const [list] = await commands.addRevocationList(operator.pool, { sourceId, crl });
  const { job, delivery, row } = await envelopes.underWay();
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
  const again = await envelopes.claim();
  assert.deepEqual(again.find((one) => one.delivery_id === delivery)?.anchors, []);
});

test('later deliveries without an envelope, and envelopes of sources that do not see the document, are not looked at', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  await further.deliver({ sha256 }, stage.sender);
  const hidden = await further.deliver({ sha256, envelope: ENVELOPE, locator: 'memory:copy' }, other);
  await stage.admit();
  assert.deepEqual(await envelopes.due(job), []);
  await further.claim();
  await further.record({ [hidden]: null });
  assert.deepEqual(await envelopes.due(job), [hidden]);
});

test('an envelope that was delivered before the bytes were seen is looked at once they are, unless the hash task did', async () => {
  for (const wasLookedAt of [false, true]) {
    const sha256 = randomHash();
    const job = await stage.deliver({ sha256, envelope: ENVELOPE });
    const second = await further.deliver({ sha256, envelope: ENVELOPE }, stage.sender);
    await stage.admit();
    const open = await stage.begin(job, 'hash');
    const evidence = (open.candidates as Candidate[])[0]!.delivery_id;
    const first = await envelopes.firstOf(job);
    assert.equal(String(evidence), second, 'the newest is tried first');
    const looked = [second, ...(wasLookedAt ? [first] : [])].map((delivery) => ({
      delivery,
      place: 'envelope' as const,
      reports: [signatureReport()],
    }));
    await verifySigned(stage, open, looked);
    assert.deepEqual(await envelopes.due(job), wasLookedAt ? [] : [first]);
    assert.equal((await envelopes.checks(job)).length, looked.length);
  }
});

test('the hash task is given its own delivery and the envelopes of its source, and a stale attempt nothing', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256 });
  await stage.deliver({ sha256, envelope: ENVELOPE });
  await stage.deliver({ sha256, envelope: Buffer.from('of another'), locator: 'memory:copy' }, other);
  await stage.admit();
  const open = await stage.begin(job, 'hash');
  const first = await envelopes.firstOf(job);
  const asked = { jobId: job, attempt: open.attempt, token: open.token, delivery: first };
  const rows = await commands.readEnvelopes(stage.worker, asked);
  assert.deepEqual(
    rows.map((row) => [row.delivery_id === first, row.envelope]),
    [
      [true, null],
      [false, ENVELOPE],
    ],
  );
  const stale = { ...asked, token: '00000000-0000-4000-8000-000000000000' };
  assert.deepEqual(await commands.readEnvelopes(stage.worker, stale), []);
});

test('the event of a check proves by a salted hash what was found', async () => {
  const { job, delivery } = await envelopes.underWay();
  const report = signatureReport({ status: 'unknown_signer', signer: 'CN=Ünbekannt' });
  assert.equal(await envelopes.record(delivery, null, found(delivery, JUDGED_AT, report)), 'checked');
  const [event] = await envelopes.checks(job);
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
  const { job, delivery } = await envelopes.underWay();
  const report = signatureReport({
    status: 'invalid',
    isIntact: false,
    digestMatches: null,
    coverage: null,
    findings: ['SIGNATURE_BROKEN'],
    signedAt: '2026-09-28T07:06:05Z',
    signedAtBy: 'signer',
  });
  await envelopes.record(delivery, null, found(delivery, JUDGED_AT, report));
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
  assert.deepEqual(await envelopes.due(job), []);
});

test('after all of that the database proves every signature by its events', async () => {
  const rows = await commands.verifyAll(stage.db);
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0'),
    [],
  );
});
