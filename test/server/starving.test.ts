import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createTurns } from '../../src/server/limits/turns.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';

// What one bearer of tokens asks leaves room for what others ask.

const database = await createTestDatabase();
const GREEDY = { role: 'analyst', sources: ['carrier-a'], subject: 'greedy' };
const MODEST = { ...GREEDY, subject: 'modest' };
const MEGABYTE = 1024 * 1024;
const sockets: Socket[] = [];
let server: ServerFixture;

before(async () => {
  await database.pool().query(`
    create function docket_api.waits() returns boolean stable language sql
    as $$ select pg_advisory_xact_lock(42) is not null $$;
    create function docket_api.filler() returns text stable language sql
    as $$ select repeat('x', 20 * ${String(MEGABYTE)}) $$;
    grant execute on function docket_api.waits, docket_api.filler to docket_analyst;
    grant execute on function pg_advisory_xact_lock(bigint) to docket_analyst;
  `);
  server = await serve(database, { graphqlConnections: 4 });
});
after(() => sockets.forEach((socket) => socket.destroy()));

/** How many questions wait for the lock in the database. */
async function waiting(): Promise<number> {
  const { rows } = await database.pool().query<{ count: number }>(
    `select count(*)::integer from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]!.count;
}

test('one bearer has half of the connections at most, whether by many questions or by many in one', async () => {
  const holder = await database.pool().connect();
  await holder.query('select pg_advisory_lock(42)');
  const many = Array.from({ length: 8 }, () => server.ask(GREEDY, '{ waits }'));
  const inOne = server.ask(GREEDY, `{ ${Array.from({ length: 8 }, (_, n) => `w${n}: waits`).join(' ')} }`);
  await eventually('two wait in the database', async () => (await waiting()) === 2);
  await server.data(MODEST, '{ queueAges { stage } }');
  assert.equal(await waiting(), 2);
  await holder.query('select pg_advisory_unlock(42)');
  holder.release();
  for (const answer of [...(await Promise.all(many)), await inOne]) assert.equal(answer.errors, undefined);
});

test('turns are taken in order, given back after failures, and not waited for without end', async () => {
  const turns = createTurns(1);
  const order: number[] = [];
  const first = Promise.withResolvers<undefined>();
  const taken: Promise<unknown>[] = [turns.take('a', () => first.promise)];
  for (let n = 0; n < 200; n += 1) {
    taken.push(
      turns.take('a', () => {
        order.push(n);
        return n % 2 === 0 ? Promise.reject(new Error('failed')) : Promise.resolve();
      }),
    );
  }
  await assert.rejects(
    turns.take('a', () => Promise.resolve()),
    { code: 'TOO_MANY_REQUESTS' },
  );
  assert.equal(await turns.take('b', () => Promise.resolve('at once')), 'at once');
  first.resolve(undefined);
  const ends = await Promise.allSettled(taken);
  assert.equal(ends.filter(({ status }) => status === 'rejected').length, 100);
  assert.deepEqual(
    order,
    Array.from({ length: 200 }, (_, n) => n),
  );
  assert.equal(await turns.take('a', () => Promise.resolve('free again')), 'free again');
});

test('who asks for much and reads none of it is refused more, and nobody else is', async () => {
  const token = await server.issuer.token(GREEDY);
  const body = JSON.stringify({ query: '{ filler }' });
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${String(body.length)}\r\n\r\n${body}`,
    );
    await once(socket, 'readable');
  }
  assert.equal((await server.ask(GREEDY, '{ filler }')).status, 429);
  assert.equal((await server.ask(MODEST, '{ filler }')).status, 200);
  sockets.forEach((socket) => socket.destroy());
  await eventually(
    'there is room again',
    async () => (await server.ask(GREEDY, '{ filler }')).status === 200,
  );
});
