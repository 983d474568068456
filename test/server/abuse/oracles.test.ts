import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import type { PlantedDocuments } from '../planted-documents.ts';
import { plantDocuments } from '../planted-documents.ts';
import type { ServerFixture } from '../server-fixture.ts';
import { serve } from '../server-fixture.ts';
import { Subscriber } from '../subscriber.ts';

const database = await createTestDatabase();
let planted: PlantedDocuments;
let server: ServerFixture;
const subscribers: Subscriber[] = [];

before(async () => {
  planted = await plantDocuments(database);
  server = await serve(database);
});
after(() => subscribers.forEach((one) => one.close()));

const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'mallory' };
const NOBODY = '00000000-0000-8000-8000-000000000000';

const stateOf = (id: string) => `{ document(documentId: "${id}") { state }
  documents(first: 5, filter: { documentId: { equalTo: "${id}" } }) { totalCount nodes { state } pageInfo { hasNextPage } } }`;

test('a foreign document answers as one that does not exist, to questions, filters and counts', async () => {
  const nothing = await server.data(ANALYST, stateOf(NOBODY));
  assert.deepEqual(await server.data(ANALYST, stateOf(planted.foreign)), nothing);
  assert.deepEqual(await server.data(ANALYST, stateOf(planted.foreignQuarantined)), nothing);
  for (const id of [planted.foreign, NOBODY]) {
    const data = await server.data<Record<string, unknown>>(
      ANALYST,
      `{ page(documentId: "${id}", pageNo: 1) { text } event(documentId: "${id}", seq: 1) { event }
         pages(first: 5, filter: { documentId: { equalTo: "${id}" } }) { totalCount } 
         events(first: 5, filter: { documentId: { equalTo: "${id}" } }) { totalCount }
         results(first: 5, filter: { documentId: { equalTo: "${id}" } }) { totalCount } }`,
    );
    const none = { totalCount: 0 };
    assert.deepEqual(data, { page: null, event: null, pages: none, events: none, results: none });
  }
});

test('counts and pages are of what may be seen, from both ends and whatever the order', async () => {
  const seen = [planted.own, planted.shared, planted.quarantined, planted.withheld].sort();
  for (const page of [
    'first: 100',
    'last: 100',
    'first: 100, orderBy: [RECEIVED_AT_DESC]',
    'last: 100, orderBy: [SOURCE_ID_ASC]',
  ]) {
    const { documents } = await server.data<{
      documents: { totalCount: number; nodes: { documentId: string }[] };
    }>(ANALYST, `{ documents(${page}) { totalCount nodes { documentId } } }`);
    assert.equal(documents.totalCount, seen.length, page);
    assert.deepEqual(documents.nodes.map((node) => node.documentId).sort(), seen, page);
  }
});

test('a cursor that somebody else was given opens nothing', async () => {
  const all = `{ documents(first: 100, orderBy: [RECEIVED_AT_ASC]) { edges { cursor node { sourceId } } } }`;
  const auditor = await server.data<{ documents: { edges: { cursor: string }[] } }>(
    { role: 'auditor', sources: ['*'] },
    all,
  );
  assert.ok(auditor.documents.edges.length > 4);
  for (const { cursor } of auditor.documents.edges) {
    for (const side of [`first: 100, after: "${cursor}"`, `last: 100, before: "${cursor}"`]) {
      const { documents } = await server.data<{ documents: { nodes: { sourceId: string }[] } }>(
        ANALYST,
        `{ documents(${side}, orderBy: [RECEIVED_AT_ASC]) { nodes { sourceId } } }`,
      );
      assert.ok(documents.nodes.every((node) => node.sourceId === 'carrier-a'));
    }
  }
});

test('what is hidden cannot be asked about by a filter or an order', async () => {
  for (const filter of [
    'documents(first: 1, filter: { sha256: { equalTo: "00" } })',
    'pages(first: 1, filter: { text: { equalTo: "x" } })',
    'pages(first: 1, filter: { words: { isNull: true } })',
    'results(first: 1, filter: { resultSha256: { lessThan: "8" } })',
    'events(first: 1, filter: { hash: { lessThan: "8" } })',
    'events(first: 1, filter: { reason: { equalTo: "x" } })',
    'sources(first: 1, filter: { note: { equalTo: "x" } })',
    'submissions(first: 1, filter: { locator: { equalTo: "x" } })',
    'redactionRules(first: 1, filter: { pattern: { equalTo: "x" } })',
    'pages(first: 1, orderBy: [TEXT_ASC])',
    'results(first: 1, orderBy: [RESULT_SHA256_ASC])',
    'events(first: 1, orderBy: [HASH_ASC])',
    'sources(first: 1, orderBy: [NOTE_ASC])',
    'redactionRules(first: 1, orderBy: [PATTERN_ASC])',
  ]) {
    const { errors, data } = await server.ask(
      { role: 'auditor', sources: ['*'] },
      `{ ${filter} { totalCount } }`,
    );
    assert.equal(data ?? null, null, filter);
    assert.match(
      errors?.[0]?.message ?? '',
      /not defined|does not exist/,
      `${filter} is not there for anybody`,
    );
  }
});

test('nobody acts on what they do not see: it answers as what does not exist, and nothing changes', async () => {
  const own = { sources: ['carrier-a'], subject: 'mallory' };
  const unmask = (id: string) =>
    `mutation { requestUnmask(input: { documentId: "${id}", reason: "curious" }) { clientMutationId } }`;
  const release = (id: string) =>
    `mutation { releaseFromQuarantine(input: { documentIds: ["${id}"], reason: "curious" }) { clientMutationId } }`;
  const disable = (name: string) =>
    `mutation { setSourceEnabled(input: { sourceId: "${name}", isEnabled: false }) { clientMutationId } }`;
  for (const [role, act, foreign, missing] of [
    ['analyst', unmask, planted.foreign, NOBODY],
    ['evidence_owner', release, planted.foreignQuarantined, NOBODY],
    ['operator', disable, 'carrier-b', 'carrier-z'],
  ] as const) {
    const there = await server.ask({ ...own, role }, act(foreign));
    const nowhere = await server.ask({ ...own, role }, act(missing));
    assert.match(nowhere.errors![0]!.extensions!.code!, /^ZD02[03]$/);
    assert.equal(there.body.replaceAll(foreign, missing), nowhere.body, role);
  }
  const { rows } = await planted.stage.db.query(
    `select (select count(*)::integer from docket.unmask_requests) as requests,
       (select state from docket.jobs where job_id = $1) as state,
       (select is_enabled from docket.sources where source_id = 'carrier-b') as enabled`,
    [planted.foreignQuarantined],
  );
  assert.deepEqual(rows, [{ requests: 0, state: 'quarantined', enabled: true }]);
});

test('a subscription to a foreign document hears what one to no document hears: nothing', async () => {
  const subscriber = await Subscriber.letIn(server.url, await server.issuer.token(ANALYST));
  subscribers.push(subscriber);
  for (const [id, document] of [
    ['own', planted.quarantined],
    ['foreign', planted.foreignQuarantined],
    ['nobody', NOBODY],
  ] as const) {
    subscriber.subscribe(
      id,
      `subscription { documentChanged(documentId: "${document}") { documentId state } }`,
    );
  }
  const quarantined = JSON.stringify({
    data: { documentChanged: { documentId: planted.quarantined, state: 'quarantined' } },
  });
  const none = JSON.stringify({ data: { documentChanged: null } });
  await eventually('all three are answered', () =>
    Promise.resolve(subscriber.heard('nobody').length === 1 && subscriber.heard('own').length === 1),
  );
  await planted.stage.db.query('select docket.release_quarantined($1, $2)', [
    [planted.foreignQuarantined, planted.quarantined],
    'for the test',
  ]);
  await planted.stage.worker.query('select docket.announce()');
  await eventually('the change of its own is heard', () =>
    Promise.resolve(subscriber.heard('own').length >= 2),
  );
  assert.equal(subscriber.heard('own')[0], quarantined);
  assert.match(subscriber.heard('own')[1]!, /"accepted"/);
  assert.deepEqual(subscriber.heard('foreign'), [none]);
  assert.deepEqual(subscriber.heard('nobody'), [none]);
});
