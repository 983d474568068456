import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTrustReader } from '../../src/attempts/trust-reader.ts';

const MIB = 1024 * 1024;

/** A reader of trust, and the numbers of the lists that it asked for. */
function reader(listBytes: number) {
  const asked: number[][] = [];
  const read = createTrustReader((numbers) => {
    asked.push([...numbers]);
    return Promise.resolve(
      numbers.map((number) => ({ revocation_list_id: number, crl: Buffer.alloc(listBytes, number) })),
    );
  });
  const lists = async (...numbers: number[]) => {
    const trust = await read({ judged_at: '2026-09-29 08:00:00+00', anchors: [], revocation_lists: numbers });
    return trust.revocationLists.map((list) => list[0]).sort();
  };
  return { asked, read, lists };
}

test('a revocation list is read once', async () => {
  const { asked, lists } = reader(10);
  assert.deepEqual(await lists(1, 2), [1, 2]);
  assert.deepEqual(await lists(2, 3), [2, 3]);
  assert.deepEqual(await lists(1, 3), [1, 3]);
  assert.deepEqual(asked, [[1, 2], [3]]);
});

test('lists beyond 64 MiB are let go, the oldest first, and are there for whoever asked', async () => {
  const { asked, lists } = reader(30 * MIB);
  assert.deepEqual(await lists(1, 2, 3), [1, 2, 3]);
  assert.deepEqual(await lists(2, 3), [2, 3]);
  assert.deepEqual(await lists(1), [1]);
  assert.deepEqual(asked, [[1, 2, 3], [1]]);
});

test('anchors have times where they are limited', async () => {
  const anchor = { id: 7, kind: 'key', purpose: 'signer', label: 'Depot key', pem: 'PEM', validUntil: null };
  const { anchors, judgedAt } = await reader(1).read({
    judged_at: '2026-09-29 08:00:00.123456+02',
    anchors: [{ ...anchor, validFrom: '2026-01-02T03:04:05.000006Z' }],
    revocation_lists: [],
  });
  assert.deepEqual(anchors, [{ ...anchor, validFrom: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) }]);
  assert.equal(judgedAt.toISOString(), '2026-09-29T06:00:00.123Z');
});
