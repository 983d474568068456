import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { getOperationAST, OperationTypeNode, parse } from 'graphql';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { PlantedDocuments } from './planted-documents.ts';
import { CONTAINER, plantDocuments } from './planted-documents.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';
import { Subscriber } from './subscriber.ts';

const TEXT = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8');
const BLOCKS = [...TEXT.matchAll(/^```graphql\n(.*?)^```/gms)].map(([, block = '']) => block);

const database = await createTestDatabase();
let planted: PlantedDocuments;
let server: ServerFixture;
let subscriber: Subscriber | undefined;

before(async () => {
  planted = await plantDocuments(database);
  server = await serve(database);
});
after(() => subscriber?.close());

/** Who asks: an analyst, unless the first line says otherwise. */
function bearerOf(block: string) {
  const role = /^# (\w+)$/m.exec(block)?.[1] ?? 'analyst';
  return { role, sources: ['carrier-a'], subject: 'reader' };
}

/** What the page leaves open, by the names it uses. */
function variables(name: string): Record<string, unknown> {
  return {
    documentId: name === 'Quarantined' ? planted.quarantined : planted.own,
    quarantined: [planted.quarantined],
    sourceId: 'carrier-a',
    since: '2026-01-01T00:00:00Z',
    query: CONTAINER.own,
  };
}

/** The lists and objects of an answer, to see that the example shows something. */
function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && 'nodes' in value && isEmpty(value.nodes);
}

assert.ok(BLOCKS.length >= 14, 'the page has examples');

for (const block of BLOCKS) {
  const operation = getOperationAST(parse(block));
  const name = operation?.name?.value ?? 'without a name';

  test(`the example ${name} of docs/graphql.md answers with something`, async () => {
    assert.ok(operation);
    const given = variables(name);
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
      subscriber = await Subscriber.letIn(server.url, await server.issuer.token(bearerOf(block)));
      subscriber.subscribe('1', block, given);
      const { messages } = subscriber;
      const first = await eventually('it tells of something', () =>
        Promise.resolve(messages.find((message) => message.id === '1')),
      );
      assert.equal(first.type, 'next', JSON.stringify(first));
      assert.ok(Object.values(first.payload!.data!).every((value) => !isEmpty(value)));
      subscriber.close();
      return;
    }
    const data = await server.data<Record<string, unknown>>(bearerOf(block), block, given);
    for (const [field, value] of Object.entries(data)) {
      assert.equal(isEmpty(value), false, `${field}: ${JSON.stringify(data)}`);
    }
  });
}

test('the queries of the shell examples work too', async () => {
  const bodies = [...TEXT.matchAll(/-d '(\{.*\})'/g)].map(([, body = '']) => body);
  assert.ok(bodies.length > 0);
  for (const body of bodies) {
    const { query } = JSON.parse(body) as { query: string };
    await server.data({ role: 'analyst', sources: ['carrier-a'] }, query);
  }
  const [, path = ''] = /"http:\/\/127\.0\.0\.1:5678(\/export[^"]+)"/.exec(TEXT) ?? [];
  const list = await server.get({ role: 'analyst', sources: ['carrier-a'] }, path);
  assert.equal(list.status, 200);
});
