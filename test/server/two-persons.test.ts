import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { CustodyStage } from '../sql/custody-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, type LoginGroup } from '../support/logins.ts';
import type { ActName, Person, Route } from './acting-routes.ts';
import { ACTS, actingRoutes } from './acting-routes.ts';
import { serve } from './server-fixture.ts';

// Who may release, hold and dispose of, on every way into the database; and that nobody does both halves of an act of two.

const database = await createTestDatabase();
const SAME_PERSON = 'ZD033';

let custody: CustodyStage;
let routes: Readonly<Record<string, Route>>;
let anna: Person;
let berta: Person;

before(async () => {
  custody = await CustodyStage.open(database);
  routes = actingRoutes(database, await serve(database, { requestsPerMinute: 100_000 }));
  anna = { name: custody.anna.name, group: 'docket_evidence_owner' };
  berta = { name: custody.berta.name, group: 'docket_evidence_owner' };
});

const quarantined = async () => (await custody.quarantined()).job;
const traces = async () =>
  (await custody.db.query<{ events: number }>('select count(*)::integer as events from docket_audit.events'))
    .rows;

/** Brings a document to where an act is possible. */
async function ready(act: ActName): Promise<string> {
  const job = await quarantined();
  const firsts: Partial<Record<ActName, ActName>> = {
    approve: 'request',
    withdraw: 'request',
    lift: 'place',
  };
  const first = firsts[act];
  if (first) assert.equal(await routes['SQL']!(berta, first, job), 'done');
  return job;
}

test('an evidence owner does every act, on every way', async () => {
  for (const [way, route] of Object.entries(routes)) {
    for (const act of Object.keys(ACTS) as ActName[])
      assert.equal(await route(anna, act, await ready(act)), 'done', `${act} by ${way}`);
  }
});

test('nobody else does any of them, on any way, and what is denied leaves no trace', async () => {
  const groups = ['docket_app', 'docket_operator', 'docket_auditor', 'docket_analyst'] as const;
  const logins = new Map<LoginGroup, Person>();
  for (const group of groups) logins.set(group, { name: (await createLogin(database, group)).name, group });
  const tokens = new Set<string>(['docket_operator', 'docket_auditor', 'docket_analyst']);
  for (const act of Object.keys(ACTS) as ActName[]) {
    const job = await ready(act);
    const before = await traces();
    for (const person of [...logins.values(), { name: 'docket_worker', group: 'docket_worker' }]) {
      for (const [way, route] of Object.entries(routes)) {
        // Senders and workers have no token that GraphQL believes.
        if (way === 'GraphQL' && !tokens.has(person.group)) continue;
        assert.equal(await route(person, act, job), 'denied', `${act} as ${person.group} by ${way}`);
      }
    }
    assert.deepEqual(await traces(), before, act);
    assert.equal(await routes['SQL']!(anna, act, job), 'done', `${act} was possible`);
  }
});

for (const [first, second, what] of [
  ['request', 'approve', 'a disposal'],
  ['place', 'lift', 'a hold'],
] as const) {
  test(`one person does not do both halves of ${what}, on whatever two ways; another person does`, async () => {
    for (const [oneWay, one] of Object.entries(routes)) {
      for (const [otherWay, other] of Object.entries(routes)) {
        const ways = `${first} by ${oneWay}, ${second} by ${otherWay}`;
        const job = await quarantined();
        assert.equal(await one(anna, first, job), 'done', ways);
        const before = await traces();
        assert.equal(await other(anna, second, job), SAME_PERSON, ways);
        assert.deepEqual(await traces(), before, ways);
        assert.equal(await other(berta, second, job), 'done', ways);
      }
    }
  });
}

test('one person under another spelling of the name is still one', async () => {
  const { GraphQL, SQL } = routes as { GraphQL: Route; SQL: Route };
  const spellings = [anna.name.toUpperCase(), ` ${anna.name} `, `token:${anna.name}`, `Token: ${anna.name}`];
  for (const name of spellings) {
    for (const [first, second] of [
      ['request', 'approve'],
      ['place', 'lift'],
    ] as const) {
      const job = await quarantined();
      assert.equal(await GraphQL({ ...anna, name }, first, job), 'done', name);
      assert.equal(await SQL(anna, second, job), SAME_PERSON, name);
      const other = await quarantined();
      assert.equal(await SQL(anna, first, other), 'done', name);
      assert.equal(await GraphQL({ ...anna, name }, second, other), SAME_PERSON, name);
    }
  }
});

test('what was disposed of is neither released, held nor disposed of again', async () => {
  const { job } = await custody.quarantined();
  await custody.dispose(job);
  const before = await traces();
  for (const [way, route] of Object.entries(routes)) {
    for (const act of ['release', 'request', 'approve', 'withdraw', 'place'] as const) {
      const ended = await route(anna, act, job);
      assert.equal(ended, 'ZD030', `${act} by ${way}`);
    }
  }
  assert.deepEqual(await traces(), before);
});
