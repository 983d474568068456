import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { OpensslFiles } from '../support/openssl-files.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const db = database.pool();
const operator = await createLogin(database, 'docket_operator');
await createSender(database, 'carrier-a');
await createSender(database, 'carrier-b');
const files = new OpensslFiles();
files.makeKey('depot');
files.makeKey('lorry', '-algorithm', 'ED25519');
files.makeCertificate('agent', '/O=Agent/CN=A. Gent');

const add = async (pem: string, changes: Partial<Parameters<typeof commands.addTrustAnchor>[1]> = {}) => {
  const given = { sourceId: 'carrier-a', label: 'Depot key', pem, ...changes };
  const [row] = await commands.addTrustAnchor(operator.pool, given);
  return row!.trust_anchor_id;
};

async function anchor(id: number): Promise<Record<string, unknown>> {
  const { rows } = await db.query<Record<string, unknown>>(
    `select anchor_kind, purpose, label, encode(der_sha256, 'hex') as der_sha256, added_by, withdrawn_by, withdrawn_because
     from docket.trust_anchors where trust_anchor_id = $1`,
    [id],
  );
  return rows[0]!;
}

test('a key and a certificate are anchors by the labels of their PEM, hashed as openssl hashes their DER', async () => {
  const added = { added_by: operator.name, withdrawn_by: null, withdrawn_because: null };
  assert.deepEqual(await anchor(await add(files.text('depot.pub.pem'))), {
    anchor_kind: 'key',
    purpose: 'signer',
    label: 'Depot key',
    der_sha256: files.sha256('depot.pub.der'),
    ...added,
  });
  const authority = { label: 'Authority', purpose: 'timestamp' };
  assert.deepEqual(await anchor(await add(files.text('agent.pem'), authority)), {
    anchor_kind: 'certificate',
    ...authority,
    der_sha256: files.sha256('agent.der'),
    ...added,
  });
});

test('the same anchor added again is the same row, and another one for another source or purpose', async () => {
  const pem = files.text('lorry.pub.pem');
  const first = await add(pem);
  // the lines of the PEM do not matter, nor do spaces around it
  assert.equal(await add(`\n${pem.replaceAll('\n', '\r\n')}\n`), first);
  const others = [await add(pem, { purpose: 'timestamp' }), await add(pem, { sourceId: 'carrier-b' })];
  assert.equal(new Set([first, ...others]).size, 3);
  const error = await refused('ZD045', add(pem, { label: 'Lorry' }));
  assert.match(error.message, new RegExp(`anchor ${first} already, "Depot key"`));
  await refused('ZD045', add(pem, { validUntil: '2030-01-01T00:00:00Z' }));
});

const secret = files.text('depot.key');
const depot = files.text('depot.pub.pem');
const agent = files.text('agent.pem');
const ENDS = '-----END PUBLIC KEY-----';
const WRONG: [string, string, Partial<Parameters<typeof commands.addTrustAnchor>[1]>, RegExp][] = [
  ['a private key', secret, {}, /private key/],
  ['a private key beside a public one', depot + secret, {}, /private key/],
  ['two blocks', depot + depot, {}, /is not one PUBLIC KEY or one CERTIFICATE/],
  ['a shared secret', '{"kty":"oct","k":"c2VjcmV0"}', {}, /is not one/],
  ['another label', depot.replaceAll('PUBLIC KEY', 'X509 CRL'), {}, /is not one/],
  ['labels that differ', depot.replace(ENDS, '-----END CERTIFICATE-----'), {}, /is not one/],
  ['broken base64', depot.replace(ENDS, `A${ENDS}`), {}, /is not one/],
  ['bytes behind the DER', depot.replace(/=*\n-----END/, 'AAAA\n-----END'), {}, /is not one/],
  ['nothing', '', {}, /is not one/],
  ['words before it', `Bag Attributes\n${agent}`, {}, /is not one/],
  ['a text without end', depot + ' '.repeat(65_536), {}, /at most 65536/],
  ['no label', depot, { label: ' ' }, /label/],
  ['a label of two lines', depot, { label: 'a\nb' }, /label/],
  ['an unknown purpose', depot, { purpose: 'encryption' }, /"encryption" is not signer or timestamp/],
  [
    'a validity that never was',
    depot,
    { validFrom: '2026-02-01Z', validUntil: '2026-01-01Z' },
    /valid_until: 2026-01-01/,
  ],
  ['a validity without end in words', depot, { validUntil: 'infinity' }, /validity/],
];
for (const [what, pem, changes, message] of WRONG) {
  test(`${what} is no anchor`, async () => {
    const error = await refused('ZD045', add(pem, { sourceId: 'carrier-b', ...changes }));
    assert.match(error.message, message);
    assert.equal(error.hint, 'See docs/signatures.md.');
  });
}

test('an anchor of a source that is not there is refused', async () => {
  await refused('ZD023', add(depot, { sourceId: 'nobody' }));
});

test('an anchor is withdrawn once, with a reason, and may then be added anew', async () => {
  const pem = files.text('depot.pub.pem');
  const first = await add(pem, { sourceId: 'carrier-b' });
  const withdraw = (trustAnchorId: number, reason = 'the key was lost') =>
    commands.withdrawTrustAnchor(operator.pool, { trustAnchorId, reason });
  await refused('ZD021', withdraw(first, ' '));
  await withdraw(first);
  const { withdrawn_by: by, withdrawn_because: because } = await anchor(first);
  assert.deepEqual([by, because], [operator.name, 'the key was lost']);
  await refused('ZD046', withdraw(first));
  await refused('ZD046', withdraw(2_000_000_000));
  assert.notEqual(await add(pem, { sourceId: 'carrier-b', label: 'Found again' }), first);
});

for (const change of [
  `update docket.trust_anchors set label = 'other' where trust_anchor_id = $1`,
  `update docket.trust_anchors set pem = '' where trust_anchor_id = $1`,
  `update docket.trust_anchors set withdrawn_at = null, withdrawn_by = null, withdrawn_because = null where trust_anchor_id = $1`,
  `update docket.trust_anchors set withdrawn_because = 'other' where trust_anchor_id = $1`,
  `update docket.trust_anchors set withdrawn_at = now(), withdrawn_by = 'x', withdrawn_because = 'y', valid_until = now()
   where trust_anchor_id = $1`,
  `delete from docket.trust_anchors where trust_anchor_id = $1`,
]) {
  test(`not even the superuser can do: ${change.replace(/\s+/g, ' ')}`, async () => {
    files.makeKey('fleeting');
    const id = await add(files.text('fleeting.pub.pem'));
    await refused('ZD001', db.query(change, [id]));
    await commands.withdrawTrustAnchor(operator.pool, { trustAnchorId: id, reason: 'done' });
    await refused('ZD001', db.query(change, [id]));
  });
}

test('the anchors are never truncated', async () => {
  await refused('ZD001', db.query('truncate docket.trust_anchors cascade'));
});

const addList = async (crl: Buffer, sourceId = 'carrier-a') => {
  const [row] = await commands.addRevocationList(operator.pool, { sourceId, crl });
  return row!.revocation_list_id;
};

test('a revocation list is kept once for each source, byte by byte; what is no DER is refused', async () => {
  const crl = files.bytes('agent.der');
  const id = await addList(crl);
  assert.equal(await addList(crl), id);
  assert.notEqual(await addList(crl, 'carrier-b'), id);
  const { rows } = await db.query<{ crl: Buffer; crl_sha256: Buffer }>(
    'select crl, crl_sha256 from docket.revocation_lists where revocation_list_id = $1',
    [id],
  );
  assert.deepEqual(rows[0]!.crl, crl);
  assert.equal(rows[0]!.crl_sha256.toString('hex'), files.sha256('agent.der'));
  await refused('ZD045', addList(crl.subarray(0, -1)));
  await refused('ZD045', addList(Buffer.concat([crl, Buffer.of(0)])));
  await refused('ZD045', addList(Buffer.from(agent)));
  await refused('ZD045', addList(Buffer.alloc(0)));
  await refused('ZD023', addList(crl, 'nobody'));
});

/** Bytes by hand, after X.690, 8.1.3 and 10.1. */
const DER: [string, boolean][] = [
  ['3000', true],
  ['30020500', true],
  ['3100', false],
  ['30', false],
  ['300005', false],
  ['3001', false],
  ['308000', false],
  ['308100', false],
  [`30817f${'00'.repeat(127)}`, false],
  [`308180${'00'.repeat(128)}`, true],
  [`30820080${'00'.repeat(128)}`, false],
  [`3081ff${'00'.repeat(255)}`, true],
  [`30820100${'00'.repeat(256)}`, true],
  [`30820100${'00'.repeat(255)}`, false],
  [`3084ffffffff`, false],
  [`308500000000010000`, false],
];
for (const [hex, is] of DER) {
  const shown = hex.length > 20 ? `${hex.slice(0, 20)}…` : hex;
  test(`${shown} is ${is ? 'one DER sequence' : 'not DER, or not one sequence'}`, async () => {
    const { rows } = await db.query<{ is: boolean }>('select docket.is_der_sequence($1) as is', [
      Buffer.from(hex, 'hex'),
    ]);
    assert.equal(rows[0]!.is, is);
  });
}

interface Policy {
  envelope_policy_id: number | null;
  requirement: string;
  signers_required: number;
}

async function policy(sourceId: string, kind: string): Promise<[string, number]> {
  const { rows } = await db.query<Policy>('select * from docket.envelope_policy($1, $2)', [sourceId, kind]);
  assert.equal(rows.length, 1);
  return [rows[0]!.requirement, rows[0]!.signers_required];
}

type Set = Partial<Parameters<typeof commands.setEnvelopePolicy>[1]>;
const set = (requirement: string, changes: Set = {}) =>
  commands.setEnvelopePolicy(operator.pool, { requirement, reason: 'agreed', ...changes });

test('the policy that names the source comes first, then the one that names the kind, then the newest', async () => {
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['intact', 1]);
  await set('recorded');
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['recorded', 1]);
  await set('signed', { documentKind: 'cmr_note' });
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['signed', 1]);
  await set('intact', { sourceId: 'carrier-a' });
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['intact', 1]);
  await set('signed', { sourceId: 'carrier-a', documentKind: 'cmr_note', signersRequired: 2 });
  // newer, and less particular
  await set('recorded', { documentKind: 'cmr_note' });
  await set('recorded', { sourceId: 'carrier-a' });
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['signed', 2]);
  assert.deepEqual(await policy('carrier-a', 'terms'), ['recorded', 1]);
  assert.deepEqual(await policy('carrier-b', 'cmr_note'), ['recorded', 1]);
  await set('intact', { sourceId: 'carrier-a', documentKind: 'cmr_note' });
  assert.deepEqual(await policy('carrier-a', 'cmr_note'), ['intact', 1]);
});

test('a policy that is not of the documented shape is refused, naming what is wrong', async () => {
  assert.match(
    (await refused('ZD045', set('optional'))).message,
    /"optional" is not recorded, intact or signed/,
  );
  await refused('ZD045', set('signed', { signersRequired: 0 }));
  await refused('ZD045', set('signed', { signersRequired: 11 }));
  await refused('ZD045', set('intact', { signersRequired: 2 }));
  await refused('ZD021', set('signed', { reason: '' }));
  await refused('ZD023', set('signed', { sourceId: 'nobody' }));
  await refused('ZD015', set('signed', { documentKind: 'invoice' }));
});

test('nobody but operators may say whom to trust', async () => {
  const owner = await createLogin(database, 'docket_evidence_owner');
  const given = { sourceId: 'carrier-a', label: 'mine', pem: depot };
  await refused('42501', commands.addTrustAnchor(owner.pool, given));
  await refused('42501', commands.setEnvelopePolicy(owner.pool, { requirement: 'recorded', reason: 'x' }));
});
