import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServerFixture } from '../server-fixture.ts';
import { serve } from '../server-fixture.ts';
import { Subscriber } from '../subscriber.ts';

const database = await createTestDatabase();
let server: ServerFixture;
const subscribers: Subscriber[] = [];

before(async () => {
  server = await serve(database);
});
after(() => subscribers.forEach((one) => one.close()));

const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'mallory' };

/** Operations beyond a limit. */
const nested = (levels: number): string =>
  levels === 0 ? 'documentId' : `documentId pages(first: 1) { nodes { document { ${nested(levels - 1)} } } }`;
const TOO_MUCH: Record<string, string> = {
  'too deep': `{ documents(first: 1) { nodes { ${nested(6)} } } }`,
  'round in circles':
    '{ documents(first: 1) { nodes { ...A } } } fragment A on Document { pages(first: 1) { nodes { document { ...A } } } }',
  'too many aliases': `{ documents(first: 1) { nodes { ${Array.from({ length: 200 }, (_, n) => `a${n}: state`).join(' ')} } } }`,
  'too many aliases of a query': `{ ${Array.from({ length: 50 }, (_, n) => `a${n}: search(query: "x${n}", first: 1) { nodes { rank } }`).join(' ')} }`,
  'no page size': '{ documents { nodes { documentId } } }',
  'a page of 101': '{ documents(first: 101) { nodes { documentId } } }',
  'a page of 101 from the end': '{ documents(last: 101) { nodes { documentId } } }',
  'a page of less than none': '{ documents(first: -1) { nodes { documentId } } }',
  'both ends': '{ documents(first: 100, last: 100) { nodes { documentId } } }',
  'no page size further in': '{ documents(first: 1) { nodes { events { nodes { seq } } } } }',
  'no page size in a fragment':
    '{ documents(first: 1) { nodes { ...E } } } fragment E on Document { events { nodes { seq } } }',
  'no page size of a search': '{ search(query: "container") { nodes { rank } } }',
  'a page that cannot be known before': 'query Q($n: Int) { documents(first: $n) { nodes { documentId } } }',
  'too dear':
    '{ documents(first: 100) { nodes { events(first: 100) { nodes { seq at } } pages(first: 100) { nodes { text words } } } } }',
  'many fragments': `{ ...F0 } ${Array.from({ length: 30 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(' ')}
    fragment F30 on Query { documents(first: 100) { nodes { documentId sha256 state } } }`,
  'an answer in parts': '{ documents(first: 1) { nodes { ... @defer { documentId } } } }',
  'two thousand words and more': `{ __typename ${'@skip(if: false) '.repeat(1_000)} }`,
};

for (const [kind, query] of Object.entries(TOO_MUCH)) {
  test(`an operation that is or has ${kind} is refused before anything runs`, async () => {
    const answer = await server.ask(ANALYST, query);
    assert.equal(answer.data ?? null, null, answer.body.slice(0, 500));
    assert.ok(
      answer.errors && answer.errors.length > 0 && answer.errors.length <= 10,
      answer.body.slice(0, 500),
    );
    assert.ok(answer.body.length < 10_000, 'the refusal is no burden itself');

    const subscriber = await Subscriber.letIn(server.url, await server.issuer.token(ANALYST));
    subscribers.push(subscriber);
    subscriber.subscribe('1', query);
    await eventually('it is answered', () => Promise.resolve(subscriber.heard('1')[0] ?? subscriber.closed));
    assert.ok(
      subscriber.messages.every((message) => message.type !== 'next'),
      subscriber.heard('1').join('\n'),
    );
  });
}

const post = (body: string, headers?: Record<string, string>) => server.post(ANALYST, body, headers);

test('operations come one at a time, by POST, as JSON and not too long', async () => {
  const query = '{ __typename }';
  assert.equal((await post(JSON.stringify({ query }))).status, 200);
  const batch = await post(JSON.stringify(Array.from({ length: 50 }, () => ({ query }))));
  assert.ok(batch.status >= 400, `a batch: ${batch.status}`);
  const long = await post(JSON.stringify({ query: `${query}${' '.repeat(100_000)}` }));
  assert.equal(long.status, 413);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const simple = await post(JSON.stringify({ query }), { 'content-type': type });
    assert.ok(simple.status >= 400, `${type}: what a form on a foreign page can send is refused`);
  }
  const got = await server.get(ANALYST, `/graphql?query=${encodeURIComponent(query)}`);
  assert.ok(got.status >= 400);
  assert.equal((await post('{')).status, 400);
});

test('foreign pages are told nothing, and answers are not kept or guessed at by browsers', async () => {
  const answer = await post('{"query":"{ __typename }"}', { origin: 'https://evil.example' });
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'|default-src 'self'/);
});

test('the schema can be asked for in the usual way, unless it is switched off; then it cannot be guessed at either', async () => {
  const asked = getIntrospectionQuery();
  await server.data(ANALYST, asked);
  const closed = await serve(database, { graphqlIntrospection: false });
  assert.equal((await closed.ask(ANALYST, asked)).data ?? null, null);
  const near = await closed.ask(ANALYST, '{ document(documentId: "x") { shaa256 } }');
  assert.doesNotMatch(near.body, /did you mean|sha256/i);
});
