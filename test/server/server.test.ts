import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server/start-server.ts';
import { keysOf } from '../../src/server/token-keys.ts';
import { createTestDatabase } from '../support/database.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

const database = await createTestDatabase();
const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'alice' };
const ORIGIN = 'https://desk.example';
let server: ServerFixture;

before(async () => {
  // Functions of the test's own, to see what the database is told, and to have it fail in every way.
  await database.pool().query(`
    create function docket_api.setting(name text) returns text stable language sql
    as $$ select current_setting(name, true) $$;
    create function docket_api.who() returns text stable language sql
    as $$ select session_user || ' as ' || current_user || ': ' || docket.actor() $$;
    create function docket_api.fails(state text) returns integer stable language plpgsql as $$
    begin
      raise exception 'relation "docket.secret" of select 1' using errcode = state, detail = 'Key (salt)=(42)', hint = 'Do this.';
    end $$;
    create function docket_api.set_note() returns integer volatile language sql as $$ select 1 $$;
    grant usage on schema docket to docket_analyst;
    grant execute on function docket_api.setting, docket_api.who, docket_api.fails, docket_api.set_note, docket.actor to docket_analyst;
  `);
  server = await serve(database, { corsOrigins: [ORIGIN], graphqlConnections: 3 });
});

const post = (body: string, headers?: Record<string, string>) => server.post(ANALYST, body, headers);

test('the database is asked by the gateway, in the role of the token, which is gone from the connection afterwards', async () => {
  const { who } = await server.data<{ who: string }>(ANALYST, '{ who }');
  assert.equal(who, 'docket_gateway as docket_analyst: token:alice');
  const bob = await server.data<{ who: string }>({ ...ANALYST, subject: 'bob' }, '{ who }');
  assert.equal(bob.who, 'docket_gateway as docket_analyst: token:bob');
  const { rows } = await database
    .pool('docket_gateway')
    .query<{ role: string; claims: string | null }>(
      `select current_user as role, current_setting('docket.claims', true) as claims`,
    );
  assert.deepEqual({ ...rows[0] }, { role: 'docket_gateway', claims: null });
});

test('a query cannot write and cannot run for ever', async () => {
  const settings = await server.data<Record<string, string>>(
    ANALYST,
    `{ readOnly: setting(name: "transaction_read_only") statement: setting(name: "statement_timeout")
       idle: setting(name: "idle_in_transaction_session_timeout") }`,
  );
  assert.deepEqual({ ...settings }, { readOnly: 'on', statement: '5s', idle: '10s' });
  const { setNote } = await server.data<{ setNote: unknown }>(
    ANALYST,
    'mutation { setNote(input: {}) { result } }',
  );
  assert.deepEqual(setNote, { result: 1 });
});

test('what is no GraphQL, or not of this schema, is called a bad request, and keeps its place', async () => {
  for (const query of [
    '{',
    '{ nothingOfThisName }',
    '{ search(first: 1, query: [1]) { nodes { pageNo } } }',
  ]) {
    const { status, errors } = await server.ask(ANALYST, query);
    assert.equal(status, 400, query);
    assert.equal(errors?.[0]?.extensions?.code, 'BAD_REQUEST', query);
    assert.ok('locations' in errors[0], query);
  }
});

test('of an error of the database a caller learns what Docket says on purpose, or one of a few sentences', async () => {
  const said: Record<string, [code: string, message: string]> = {
    ZD020: ['ZD020', 'relation "docket.secret" of select 1'],
    '42501': ['PERMISSION_DENIED', 'permission denied'],
    '25006': ['PERMISSION_DENIED', 'permission denied'],
    '57014': ['TOOK_TOO_LONG', 'took too long'],
    '22P02': ['MALFORMED_ARGUMENT', 'malformed argument: a value is none of its type, or out of range'],
    '53300': ['UNAVAILABLE', 'not available now; try again later'],
  };
  for (const [state, [code, message]] of Object.entries(said)) {
    const { status, data, errors, body } = await server.ask(ANALYST, `{ fails(state: "${state}") }`);
    assert.equal(status, 200);
    assert.deepEqual(data, { fails: null });
    assert.equal(errors?.[0]?.message, message, state);
    assert.equal(errors[0].extensions?.code, code, state);
    assert.deepEqual(errors[0].path, ['fails']);
    assert.doesNotMatch(body, /salt|42\)/, 'no DETAIL');
  }
  for (const state of ['23505', '42P01', 'P0001', 'XX000', 'ZD1']) {
    const { errors, body } = await server.ask(
      ANALYST,
      `{ fails(state: "${state === 'ZD1' ? 'ZX001' : state}") }`,
    );
    assert.match(errors![0]!.message, /^an error occurred; the log knows it as [0-9a-f]{12}$/);
    assert.doesNotMatch(body, /secret|salt|select|Do this/);
    const number = /[0-9a-f]{12}/.exec(errors![0]!.message)![0];
    assert.ok(
      server.log.some((line) => line.includes(number)),
      'the log has it',
    );
  }
  assert.ok(!server.log.some((line) => line.includes('Key (salt)')), 'the log has no DETAIL either');
});

test('one question has one answer: several at once, by GET, as a form or as a subscription are refused', async () => {
  assert.equal((await post('[{"query":"{ __typename }"},{"query":"{ __typename }"}]')).status, 400);
  assert.equal((await post('{"query":"subscription { queueAgesChanged { stage } }"}')).status, 400);
  assert.equal((await post('{"query":')).status, 400);
  assert.equal((await post('"{ __typename }"')).status, 400);
  assert.equal(
    (await post('query=%7B__typename%7D', { 'content-type': 'application/x-www-form-urlencoded' })).status,
    415,
  );
  assert.equal((await post('{ __typename }', { 'content-type': 'text/plain' })).status, 415);
  const got = await server.get(ANALYST, '/graphql?query=%7B__typename%7D');
  assert.equal(got.status, 405);
  assert.equal(got.headers.get('allow'), 'POST');
  assert.equal((await post('{"query":"{ __typename }"}')).status, 200);
});

test('a body of more than 64 KiB is refused, and what is left of it is not waited for', async () => {
  const response = await post(
    JSON.stringify({ query: '{ __typename }', variables: { filler: 'x'.repeat(70_000) } }),
  );
  assert.equal(response.status, 413);
  assert.equal(response.headers.get('connection'), 'close');
  assert.equal(
    (await post(JSON.stringify({ query: '{ __typename }', variables: { filler: 'x'.repeat(60_000) } })))
      .status,
    200,
  );
});

test('without a token nothing is answered, and nothing is read either', async () => {
  for (const path of ['/graphql', '/export/documents.csv']) {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: 'x'.repeat(100) });
    assert.equal(response.status, 401, path);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
  for (const path of ['/', '/ruru-static/ruru.js', '/graphql/', '/graphql/stream', '/GraphQL']) {
    assert.equal((await fetch(`${server.url}${path}`)).status, 404, path);
  }
});

test('every answer tells browsers to store nothing, to guess nothing and to show it nowhere', async () => {
  for (const response of [
    await fetch(`${server.url}/healthz`),
    await fetch(`${server.url}/no`),
    await post('{"query":"{ __typename }"}'),
  ]) {
    const { headers } = response;
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-powered-by'), null);
    assert.equal(headers.get('access-control-allow-origin'), null);
  }
});

test('only pages of the origins that were named may ask across origins', async () => {
  const preflight = (origin: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
  const named = await preflight(ORIGIN);
  assert.equal(named.status, 204);
  assert.equal(named.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(named.headers.get('access-control-allow-headers') ?? '', /authorization/);
  assert.equal(
    (await post('{"query":"{ __typename }"}', { origin: ORIGIN })).headers.get('access-control-allow-origin'),
    ORIGIN,
  );
  for (const origin of ['https://evil.example', 'https://desk.example.evil.example', 'null']) {
    assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), null, origin);
  }
});

test('who asks more often than is allowed is told when to come back, while others are served', async () => {
  const strict = await serve(database, { requestsPerMinute: 3 });
  for (let n = 0; n < 3; n += 1) await strict.data(ANALYST, '{ __typename }');
  const refused = await fetch(`${strict.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await strict.issuer.token(ANALYST)}`,
    },
    body: '{"query":"{ __typename }"}',
  });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await strict.data({ ...ANALYST, subject: 'bob' }, '{ __typename }');
});

test('a port that is in use, and a gateway that is not set or another login, are told by name', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const start = (settings: object) =>
    startServer({
      config: { ...loadConfig({}), ...settings },
      log: createLog({ level: 'silent' }),
      tokenKeys: keysOf([server.issuer.publicJwk]),
    });
  await assert.rejects(start({ gatewayUrl: database.url('docket_gateway'), httpPort: port }), {
    code: 'CONFIG_HTTP_ADDRESS',
    message: `port ${port} of 127.0.0.1 is in use`,
  });
  await assert.rejects(start({ databaseUrl: database.url() }), {
    code: 'CONFIG_INVALID',
    message: /DOCKET_GATEWAY_URL/,
  });
  await assert.rejects(start({ gatewayUrl: database.url('docket_worker'), httpPort: 0 }), {
    code: 'CONFIG_INVALID',
    message: 'DOCKET_GATEWAY_URL names the login "docket_worker"',
  });
  other.close();
});
