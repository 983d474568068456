import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { RunningServer } from '../../src/server/start-server.ts';
import { startServer } from '../../src/server/start-server.ts';
import { keysOf } from '../../src/server/token-keys.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Issuer } from './bearer-tokens.ts';
import { createIssuer } from './bearer-tokens.ts';
import { Subscriber } from './subscriber.ts';

const database = await createTestDatabase();
const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'alice' };
let issuer: Issuer;

before(async () => {
  issuer = await createIssuer();
  // Waits for a lock that the test holds: as long as the test wants.
  await database.pool().query(`
    create function docket_api.waits() returns boolean volatile language sql
    as $$ select pg_advisory_xact_lock(42) is not null $$;
    grant execute on function docket_api.waits to docket_analyst;
    grant execute on function pg_advisory_xact_lock(bigint) to docket_analyst;
  `);
});

function start(stopGraceMs: number): Promise<RunningServer> {
  return startServer({
    config: {
      ...loadConfig({ DOCKET_HTTP_PORT: '0' }),
      gatewayUrl: database.url('docket_gateway'),
      stopGraceMs,
    },
    log: createLog({ level: 'silent' }),
    tokenKeys: keysOf([issuer.publicJwk]),
  });
}

async function ask(server: RunningServer, query: string): Promise<string> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await issuer.token(ANALYST)}` },
    body: JSON.stringify({ query }),
  });
  return response.text();
}

/** Asks what waits for a lock, until `use` is over. */
async function whileWaiting(
  server: RunningServer,
  use: (answer: Promise<string>) => Promise<void>,
): Promise<string> {
  const holder = await database.pool().connect();
  try {
    await holder.query('select pg_advisory_lock(42)');
    const answer = ask(server, 'mutation { waits(input: {}) { result } }').catch(() => 'cut off');
    await eventually('the question waits in the database', async () => {
      const { rows } = await holder.query(`select from pg_locks where locktype = 'advisory' and not granted`);
      return rows.length === 1;
    });
    await use(answer);
    await holder.query('select pg_advisory_unlock(42)');
    return await answer;
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
  }
}

test('a server that stops lets a request under way finish, takes no new one, and tells subscribers', async () => {
  const server = await start(10_000);
  const subscriber = await Subscriber.letIn(server.url, await issuer.token(ANALYST));
  subscriber.subscribe('1', 'subscription { queueAgesChanged { stage } }');
  await eventually('the subscriber was told', () => subscriber.heard('1').length === 1);
  let stopped: Promise<void> | undefined;
  const answer = await whileWaiting(server, async () => {
    stopped = server.stop();
    await eventually('the subscriber is sent away', () => subscriber.closed);
    await eventually('no new request is taken', () =>
      ask(server, '{ __typename }').then(
        () => false,
        () => true,
      ),
    );
  });
  assert.equal(answer, '{"data":{"waits":{"result":true}}}');
  await stopped;
  assert.deepEqual(subscriber.closed, { code: 1001, reason: 'the server is stopping' });
  assert.equal(server.stop(), server.stop(), 'further calls wait for the first');
  await server.stop();
});

test('a request that outlasts the grace is cut off', async () => {
  const server = await start(100);
  let stopped: Promise<void> | undefined;
  await whileWaiting(server, async (answer) => {
    stopped = server.stop();
    assert.equal(await answer, 'cut off');
  });
  await stopped;
});
