import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSchema, getIntrospectionQuery } from 'postgraphile/graphql';
import { createDocumentCheck } from '../../src/server/limits/check-document.ts';
import { createRequestRate } from '../../src/server/limits/request-rate.ts';

const schema = buildSchema(
  readFileSync(join(import.meta.dirname, '../../src/server/schema.graphql'), 'utf8'),
);
const check = createDocumentCheck(schema, { introspection: true });
const closed = createDocumentCheck(schema, { introspection: false });

/** What is said against a query. */
const said = (query: string, by = check) => by(query).errors?.map(({ message }) => message) ?? [];

test('a page of up to a hundred is allowed, from either end and at every depth', () => {
  for (const query of [
    '{ documents(first: 100) { nodes { documentId } } }',
    '{ documents(last: 1) { nodes { documentId events(first: 5) { nodes { event } } } } }',
    'query A($id: UUID!) { document(documentId: $id) { pages(first: 10) { nodes { text } } } }',
    '{ queueAges { stage jobs } }',
    '{ documents(first: 0) { totalCount } }',
  ]) {
    assert.deepEqual(said(query), [], query);
  }
});

test('the length of a page is written in the query: not left out, not a variable, not null, not twice', () => {
  for (const [query, problem] of [
    ['{ documents { nodes { state } } }', /takes either first or last/],
    ['{ documents(first: 1, last: 1) { nodes { state } } }', /takes either first or last/],
    ['query A($n: Int = 5) { documents(first: $n) { nodes { state } } }', /not as a variable/],
    ['{ documents(first: null) { nodes { state } } }', /not as a variable/],
    ['{ documents(first: 101) { nodes { state } } }', /at most 100/],
    ['{ documents(first: 99999999999) { nodes { state } } }', /at most 100/],
    ['{ documents(first: -1) { nodes { state } } }', /at most 100/],
    ['{ documents(first: 1) { nodes { pages { nodes { text } } } } }', /"pages" takes/],
    ['subscription { documentChanged(documentId: "x") { events { nodes { event } } } }', /"events" takes/],
  ] as const) {
    assert.match(said(query).join(), problem, query);
  }
});

test('the cost of an operation is its fields, as often as the pages above them are long', () => {
  // 1 for documents, 1 for nodes, 100 times 3 fields: cheap. With 100 events of 2 fields each below every one: too dear.
  assert.deepEqual(said('{ documents(first: 100) { nodes { documentId state sizeBytes } } }'), []);
  const dear = '{ documents(first: 100) { nodes { events(first: 100) { nodes { event at } } } } }';
  // 1 + 100 × (1 + (1 + 100 × (1 + 2))), as there is one `nodes` for each page.
  assert.match(said(dear).join(), /could cost \d+, more than 20000/);
  assert.deepEqual(
    said('{ documents(first: 100) { nodes { events(first: 50) { nodes { event at } } } } }'),
    [],
  );
});

test('words and text cost more than other fields, whether they are named at once or through fragments', () => {
  const plain = '{ documents(first: 50) { nodes { pages(first: 20) { nodes { pageNo verdict } } } } }';
  assert.deepEqual(said(plain), []);
  assert.match(said(plain.replace('pageNo verdict', 'words')).join(), /could cost/);
  const spread = `{ documents(first: 50) { nodes { ...D } } }
    fragment D on Document { pages(first: 20) { nodes { ...P } } } fragment P on Page { ... { words } }`;
  assert.match(said(spread).join(), /could cost/);
});

test('aliases, depth, directives and the length of a query are bounded', () => {
  const fields = Array.from({ length: 21 }, (_, n) => `a${n}: state`).join(' ');
  assert.match(said(`{ documents(first: 1) { nodes { ${fields} } } }`).join(), /at most 20 aliases/);
  const loop = 'pages(first: 1) { nodes { document { '.repeat(4);
  assert.notDeepEqual(said(`{ documents(first: 1) { nodes { ${loop} state ${'} } }'.repeat(4)} } } }`), []);
  assert.match(said('{ documents(first: 1) @stream { nodes { state } } }').join(), /"@stream" is not served/);
  assert.match(said(`{ ${'__typename '.repeat(2_001)} }`).join(), /token/i);
});

test('a hostile document is refused without work that grows faster than it does', () => {
  // Forty fragments, each spread twice by the one before: 2^40 fields if anybody counted them one by one.
  const fragments = Array.from(
    { length: 40 },
    (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
  );
  const bomb = `{ ...F0 } ${fragments.join(' ')} fragment F40 on Query { queueAges { stage } }`;
  assert.match(said(bomb).join(), /could cost/);
  assert.notDeepEqual(said('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'), []);
});

test('the question that tools ask of every schema is answered, unless the schema is not to be asked for', () => {
  assert.deepEqual(said(getIntrospectionQuery()), []);
  assert.match(said(getIntrospectionQuery(), closed).join(), /introspection/i);
  assert.match(said('{ documnets(first: 1) { nodes { state } } }').join(), /Did you mean "documents"/);
  assert.deepEqual(said('{ documnets(first: 1) { nodes { state } } }', closed), [
    'Cannot query field "documnets" on type "Query".',
  ]);
});

test('a query that was valid is remembered, and one that was not is checked again', () => {
  const query = '{ documents(first: 3) { nodes { state } } }';
  assert.equal(check(query).document, check(query).document);
  assert.notEqual(check('{ nothing }').errors, check('{ nothing }').errors);
});

test('requests are counted for each subject apart', async () => {
  const rate = createRequestRate(2);
  await rate.count('alice');
  await rate.count('alice');
  await assert.rejects(
    rate.count('alice'),
    (error: Error & { code?: string; data?: Record<string, unknown> }) => {
      assert.equal(error.code, 'TOO_MANY_REQUESTS');
      const seconds = Number(error.data?.['retryAfterSeconds']);
      assert.ok(seconds > 0 && seconds <= 60, String(seconds));
      return true;
    },
  );
  await rate.count('bob');
});
