import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createTestDatabase } from '../../support/database.ts';
import type { ServerFixture } from '../server-fixture.ts';
import { serve } from '../server-fixture.ts';

const database = await createTestDatabase();
let server: ServerFixture;

before(async () => {
  server = await serve(database);
});

const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'mallory' };
const NOBODY = '00000000-0000-8000-8000-000000000000';

/** Questions that the database itself cannot answer, or must refuse. */
const ERRORS: Record<string, string> = {
  'an id that is none': '{ document(documentId: "1 or 1=1") { state } }',
  'a number that is too large': '{ submission(deliveryId: "99999999999999999999999") { state } }',
  'a number that is none': `{ submission(deliveryId: "1'--") { state } }`,
  'a day that is none': '{ search(query: "a", fromDate: "2026-13-99", first: 1) { nodes { rank } } }',
  'a time that is none':
    '{ documents(first: 1, filter: { receivedAt: { lessThan: "soon" } }) { nodes { state } } }',
  'a cursor that is none': '{ documents(first: 1, after: "WzFd") { nodes { state } } }',
  'a cursor of another order': `{ documents(first: 1, orderBy: [RECEIVED_AT_DESC], after: "${Buffer.from('["natural",1]').toString('base64')}") { nodes { state } } }`,
  'a field that there is not': '{ documents(first: 1) { nodes { salt } } }',
  'what is denied': '{ documents(first: 1) { nodes { job { state } } } }',
  'text with a zero byte': '{ search(query: "a\\u0000b", first: 1) { nodes { rank } } }',
  'a mutation of nothing': `mutation { requestUnmask(input: { documentId: "${NOBODY}", reason: "why not" }) { clientMutationId } }`,
  'a mutation without a reason': `mutation { requestUnmask(input: { documentId: "${NOBODY}", reason: "" }) { clientMutationId } }`,
};

for (const [kind, query] of Object.entries(ERRORS)) {
  test(`an error about ${kind} names nothing of the inside`, async () => {
    const { errors, body } = await server.ask(ANALYST, query);
    for (const error of errors ?? []) {
      assert.doesNotMatch(
        error.message,
        /docket[_.]|\bselect\b|relation|column|syntax|postgres|pg_|node_modules|\.ts\b|stack|constraint/i,
      );
      const known = Object.keys(error.extensions ?? {}).filter((key) => !['code', 'hint'].includes(key));
      assert.deepEqual(known, [], body);
      assert.deepEqual(
        Object.keys(error).filter((key) => !['message', 'locations', 'path', 'extensions'].includes(key)),
        [],
      );
    }
    if (kind !== 'a cursor of another order') assert.ok(errors, body);
  });
}
