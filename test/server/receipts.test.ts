import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { ReceiptsStage } from '../sql/receipts-stage.ts';
import { randomHash } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Bearer } from './bearer-tokens.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
const receipts = await ReceiptsStage.open(database);
const { further } = receipts;
const { stage, other } = further;

const SENDER: Bearer = { role: 'sender', sources: ['carrier-a'] };
let server: ServerFixture;
let [job, first, second] = ['', '', ''];

interface Answer {
  receipts: { delivery: string; source: string; outcome: string; code: string | null; receipt: string }[];
}

before(async () => {
  server = await serve(database);
  const sha256 = randomHash();
  job = await stage.quarantined({ sha256, locator: 'memory:a' });
  first = await receipts.deliveryOf(job);
  await receipts.tell();
  second = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await further.claim();
  await further.record({ [second]: null });
  await receipts.tell();
});

async function ask(bearer: Bearer, query: string): Promise<Answer['receipts']> {
  const response = await server.get(bearer, `/receipts?${query}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return ((await response.json()) as Answer).receipts;
}

test('a sender fetches the receipts of its delivery, and verifies them by the keys that the server names', async () => {
  const told = await ask(SENDER, `delivery=${first}`);
  assert.deepEqual(
    told.map((one) => [one.delivery, one.source, one.outcome, one.code]),
    [[first, 'carrier-a', 'RECE', 'CORRUPT']],
  );
  const keys = (await (await fetch(`${server.url}/receipt-keys`)).json()) as JSONWebKeySet;
  assert.ok(keys.keys.every((key) => !('d' in key)));
  const { payload, protectedHeader } = await compactVerify(told[0]!.receipt, createLocalJWKSet(keys));
  assert.equal(protectedHeader.typ, 'docket-receipt+jws');
  const said = JSON.parse(new TextDecoder().decode(payload)) as { outcome: string; delivery: { id: string } };
  assert.deepEqual([said.outcome, said.delivery.id], ['RECE', first]);
});

test('of a document each sender gets what it was told itself, and staff what they may see', async () => {
  const of = async (bearer: Bearer) => (await ask(bearer, `document=${job}`)).map((one) => one.source);
  assert.deepEqual(await of(SENDER), ['carrier-a']);
  assert.deepEqual(await of({ ...SENDER, sources: ['carrier-b'] }), ['carrier-b']);
  assert.deepEqual(await of({ ...SENDER, sources: [] }), []);
  for (const role of ['operator', 'evidence_owner', 'auditor']) {
    assert.deepEqual(await of({ role, sources: ['*'] }), ['carrier-a', 'carrier-b'], role);
  }
  assert.deepEqual(await ask({ ...SENDER, sources: ['carrier-b'] }, `delivery=${first}`), []);
});

test('who has no token gets no receipt, and an analyst is sent elsewhere', async () => {
  assert.equal((await fetch(`${server.url}/receipts?delivery=${first}`)).status, 401);
  const refused = await server.get({ role: 'analyst', sources: ['*'] }, `/receipts?delivery=${first}`);
  assert.equal(refused.status, 403);
  assert.doesNotMatch(await refused.text(), /carrier/);
});

test('what is asked for wrongly is refused', async () => {
  for (const query of [
    '',
    'delivery=',
    'delivery=one',
    'delivery=12345678901234567890',
    'document=7',
    `delivery=1&document=${job}`,
    'delivery=1&delivery=2',
    'source=carrier-a',
  ]) {
    const response = await server.get(SENDER, `/receipts?${query}`);
    assert.equal(response.status, 400, query);
    assert.match(await response.text(), /RECEIPT_PARAMETER/);
  }
  for (const path of ['/receipt-keys', '/receipts?delivery=1']) {
    const token = await server.issuer.token(SENDER);
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET']);
  }
});
