import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createIssuer } from '../bearer-tokens.ts';
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

const inBase64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Every way in which a token can be no token of ours. */
async function badTokens(): Promise<Record<string, string>> {
  const { issuer } = server;
  const stranger = await createIssuer();
  const rsa = await createIssuer('RS256');
  const good = await issuer.token(ANALYST);
  const [header = '', claims = '', signature = ''] = good.split('.');
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const none = `${inBase64({ alg: 'none' })}.${claims}.`;
  const confused = `${inBase64({ alg: 'HS256' })}.${claims}`;
  const publicKey = Buffer.from(issuer.publicJwk.x!, 'base64url');
  const now = Math.floor(Date.now() / 1000);
  return {
    nothing: '',
    'no token': 'hello',
    'signed by nobody': none,
    'its algorithm in capitals': `${inBase64({ alg: 'NONE' })}.${claims}.`,
    'without the signature': `${header}.${claims}.`,
    'signed with the public key as a secret': `${confused}.${createHmac('sha256', publicKey).update(confused).digest('base64url')}`,
    'other claims under the same signature': `${header}.${inBase64({ ...said, role: 'auditor', sources: ['*'] })}.${signature}`,
    'of another issuer': await stranger.token(ANALYST),
    'of another issuer with another algorithm': await rsa.token(ANALYST),
    expired: await issuer.token(ANALYST, { exp: now - 1 }),
    'not valid yet': await issuer.token(ANALYST, { nbf: now + 600 }),
    'for another audience': await issuer.token(ANALYST, { aud: 'elsewhere' }),
    'for no audience': await issuer.token(ANALYST, { aud: undefined }),
    'of nobody': await issuer.token(ANALYST, { sub: undefined }),
    'of an empty name': await issuer.token({ ...ANALYST, subject: '' }),
    'that never ends': await issuer.token(ANALYST, { exp: undefined }),
    'without a role': await issuer.token(ANALYST, { role: undefined }),
    'for the owner': await issuer.token({ ...ANALYST, role: 'owner' }),
    'for a role of the database': await issuer.token({ ...ANALYST, role: 'docket_analyst' }),
    'for a role and more': await issuer.token({ ...ANALYST, role: "analyst'; reset role; --" }),
    'without sources': await issuer.token(ANALYST, { sources: undefined }),
    'with sources that are no list': await issuer.token(ANALYST, { sources: '*' }),
    'longer than any': await issuer.token({
      ...ANALYST,
      sources: Array.from({ length: 550 }, (_, n) => `carrier-${n}`),
    }),
  };
}

test('a token that is not ours, not for us or not now is answered 401, always the same', async () => {
  const bodies = new Set<string>();
  for (const [kind, token] of Object.entries(await badTokens())) {
    const answer = await server.ask(token, '{ documents(first: 1) { nodes { documentId } } }');
    assert.equal(answer.status, 401, `a token ${kind}: ${answer.body}`);
    bodies.add(answer.body);
    const list = await fetch(`${server.url}/export/documents.csv`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(list.status, 401, `a token ${kind}, for the list`);
  }
  assert.equal(bodies.size, 1, 'nothing tells what was wrong with it');
  const without = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    body: '{"query":"{ __typename }"}',
  });
  assert.equal(without.status, 401);
});

test('over a WebSocket no such token lets anybody in either', async () => {
  for (const [kind, token] of Object.entries(await badTokens())) {
    const subscriber = await Subscriber.open(server.url, token);
    subscribers.push(subscriber);
    await eventually(`a token ${kind} is refused`, () => Promise.resolve(subscriber.closed));
    assert.ok([4400, 4403].includes(subscriber.closed!.code), `${kind}: ${subscriber.closed!.code}`);
    assert.deepEqual(subscriber.messages, [], kind);
  }
  const silent = await Subscriber.open(server.url);
  silent.subscribe('1', 'subscription { queueAgesChanged { stage } }');
  await eventually('who asks before saying who they are is cut off', () => Promise.resolve(silent.closed));
  assert.deepEqual(silent.messages, []);
});

test('a subscription ends with the token that it was made with', async () => {
  const exp = Math.ceil(Date.now() / 1000) + 2;
  const subscriber = await Subscriber.letIn(server.url, await server.issuer.token(ANALYST, { exp }));
  subscribers.push(subscriber);
  subscriber.subscribe('1', 'subscription { queueAgesChanged { stage } }');
  await eventually('it is cut off', () => Promise.resolve(subscriber.closed));
  assert.equal(subscriber.closed!.code, 4403, 'forbidden');
});
