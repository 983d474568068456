import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import WebSocket from 'ws';
import { createLog } from '../../src/log.ts';
import { startListener } from '../../src/db/listen.ts';
import { createPulse } from '../../src/server/subscriptions/pulse.ts';
import { Stage } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';
import { Subscriber } from './subscriber.ts';

const database = await createTestDatabase();
const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'alice' };
const OF_DOCUMENT = 'subscription A($id: UUID!) { documentChanged(documentId: $id) { documentId state } }';
const OF_AGES = 'subscription { queueAgesChanged { lane stage jobs } }';
const subscribers: Subscriber[] = [];
let stage: Stage;
let server: ServerFixture;

before(async () => {
  stage = await Stage.open(database);
  server = await serve(database, { requestsPerMinute: 100 });
});
after(() => subscribers.forEach((one) => one.close()));

async function letIn(bearer: { role?: string; sources?: readonly string[]; subject?: string } = ANALYST) {
  const subscriber = await Subscriber.letIn(server.url, await server.issuer.token(bearer));
  subscribers.push(subscriber);
  return subscriber;
}

/** What a worker's loop would announce: any login may. */
const announce = () => database.pool('docket_worker').query(`select pg_notify('docket_changes', '')`);
const dataOf = (subscriber: Subscriber, id: string) =>
  subscriber.heard(id).map((text) => (JSON.parse(text) as { data: unknown }).data);

test('a document is told at once, and again when its state changed; an announcement of something else tells nothing', async () => {
  const open = await stage.running();
  const subscriber = await letIn();
  subscriber.subscribe('1', OF_DOCUMENT, { id: open.job_id });
  const told = (state: string) => ({ documentChanged: { documentId: open.job_id, state } });
  await eventually('its state is told', () => subscriber.heard('1').length === 1);
  assert.deepEqual(dataOf(subscriber, '1'), [told('running')]);

  await stage.deliver();
  await announce();
  await stage.record(open);
  await announce();
  await eventually('its new state is told', () => subscriber.heard('1').length === 2);
  assert.deepEqual(dataOf(subscriber, '1'), [told('running'), told('validated')]);
});

test('a document of another source is told as one that does not exist, before and after it changed', async () => {
  const open = await stage.running();
  const stranger = await letIn({ ...ANALYST, sources: ['carrier-b'], subject: 'eve' });
  stranger.subscribe('foreign', OF_DOCUMENT, { id: open.job_id });
  stranger.subscribe('nothing', OF_DOCUMENT, { id: '00000000-0000-8000-8000-000000000000' });
  const friend = await letIn({ ...ANALYST, subject: 'friend' });
  friend.subscribe('1', OF_DOCUMENT, { id: open.job_id });
  await eventually('all three were told once', () =>
    [stranger.heard('foreign'), stranger.heard('nothing'), friend.heard('1')].every(
      ({ length }) => length === 1,
    ),
  );
  await stage.record(open);
  await announce();
  await eventually('who may see it is told', () => friend.heard('1').length === 2);
  for (const id of ['foreign', 'nothing']) {
    assert.deepEqual(stranger.heard(id), ['{"data":{"documentChanged":null}}'], id);
  }
});

test('the ages of the queue are told when they changed, of the sources of the token', async () => {
  const friend = await letIn({ ...ANALYST, subject: 'operator', role: 'operator' });
  const stranger = await letIn({ ...ANALYST, sources: [], subject: 'eve' });
  for (const one of [friend, stranger]) one.subscribe('1', OF_AGES);
  await eventually(
    'both were told once',
    () => friend.heard('1').length === 1 && stranger.heard('1').length === 1,
  );
  const accepted = () => {
    const ages = dataOf(friend, '1').at(-1) as {
      queueAgesChanged: { lane: string; stage: string; jobs: number }[];
    };
    return ages.queueAgesChanged.find((age) => age.lane === 'standard' && age.stage === 'accepted')!.jobs;
  };
  const before = accepted();
  await stage.deliver();
  await stage.admit();
  await announce();
  await eventually('one more is waiting', () => accepted() === before + 1);
  assert.equal(stranger.heard('1').length, 1);
});

test('an operation that its role may not do is refused over a WebSocket as it is by POST', async () => {
  const operator = await letIn({ ...ANALYST, role: 'operator', subject: 'op' });
  operator.subscribe('1', OF_DOCUMENT, { id: '00000000-0000-8000-8000-000000000000' });
  operator.subscribe('2', '{ documents { nodes { documentId } } }');
  operator.subscribe(
    '3',
    'mutation { requestUnmask(input: { documentId: "00000000-0000-8000-8000-000000000000", reason: "x" }) { clientMutationId } }',
  );
  operator.subscribe('4', '{ jobs(first: 1) { nodes { state } } }');
  await eventually('all four are answered', () =>
    ['1', '2', '3', '4'].every((id) => operator.heard(id).length > 0),
  );
  assert.match(operator.heard('1').join(), /permission denied/);
  assert.match(operator.heard('2').join(), /takes either first or last/);
  assert.match(operator.heard('3').join(), /permission denied/);
  assert.match(operator.heard('4').join(), /"jobs":\{"nodes"/);
});

test('operations over a WebSocket count as requests', async () => {
  const eager = await letIn({ ...ANALYST, subject: 'eager' });
  for (let n = 0; n < 101; n += 1) eager.subscribe(String(n), '{ __typename }');
  await eventually('the last is refused', () => eager.heard('100').length > 0);
  assert.match(eager.heard('100').join(), /more than 100 requests a minute.*TOO_MANY_REQUESTS/);
  assert.equal((await server.ask({ ...ANALYST, subject: 'eager' }, '{ __typename }')).status, 429);
});

test('one bearer has at most twenty subscriptions, over all connections, and gets back what it ends', async () => {
  const bearer = { ...ANALYST, subject: 'greedy' };
  const [one, two] = [await letIn(bearer), await letIn(bearer)];
  for (let n = 0; n < 20; n += 1) one.subscribe(String(n), OF_AGES);
  await eventually('twenty are told', () =>
    Array.from({ length: 20 }, (_, n) => one.heard(String(n))).every((heard) => heard.length > 0),
  );
  two.subscribe('more', OF_AGES);
  await eventually('the next is answered', () => two.heard('more').length > 0);
  assert.match(two.heard('more').join(), /TOO_MANY_SUBSCRIPTIONS/);
  one.send({ id: '0', type: 'complete' });
  let tries = 0;
  await eventually('there is room again', async () => {
    const id = `again ${(tries += 1)}`;
    two.subscribe(id, OF_AGES);
    await eventually('it is answered', () => two.heard(id).length > 0);
    return two.heard(id).join().includes('"stage"');
  });
});

test('a connection ends when its token does', async () => {
  const token = await server.issuer.token(ANALYST, { exp: Math.floor(Date.now() / 1000) + 2 });
  const subscriber = await Subscriber.letIn(server.url, token);
  subscribers.push(subscriber);
  subscriber.subscribe('1', OF_AGES);
  await eventually('the connection is closed', () => subscriber.closed);
  assert.deepEqual(subscriber.closed, { code: 4403, reason: 'the token expired' });
});

test('pages of foreign origins, other protocols and messages beyond 64 KiB get no connection', async () => {
  const refusedBy = async (options: WebSocket.ClientOptions, path = '/graphql') => {
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}${path}`,
      'graphql-transport-ws',
      options,
    );
    return new Promise<string>((resolve) => {
      socket.on('error', (error) => resolve(error.message));
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
    });
  };
  assert.match(await refusedBy({ origin: 'https://evil.example' }), /403/);
  assert.match(await refusedBy({}, '/other'), /403/);
  assert.equal(await refusedBy({ origin: server.url }), 'open');
  const subscriber = await letIn();
  subscriber.subscribe('1', `{ __typename } # ${'x'.repeat(70_000)}`);
  await eventually('the connection is closed', () => subscriber.closed);
  assert.equal(subscriber.closed?.code, 1009);
});

test('subscriptions outlive the connection over which the database is listened to', async () => {
  const open = await stage.running();
  const subscriber = await letIn({ ...ANALYST, subject: 'patient' });
  subscriber.subscribe('1', OF_DOCUMENT, { id: open.job_id });
  await eventually('its state is told', () => subscriber.heard('1').length === 1);
  const { rowCount } = await database.pool().query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'docket-changes'`,
  );
  assert.equal(rowCount, 1);
  await stage.record(open);
  await eventually(
    'its new state is told, though nothing was announced since',
    () => subscriber.heard('1').length === 2,
  );
});

test('a pulse comes at once, and then not before the interval is over, however often it is asked for', async () => {
  const pulse = createPulse(150);
  const { signal } = new AbortController();
  const begun = performance.now();
  pulse.beat();
  await pulse.after(0, signal);
  for (let n = 0; n < 50; n += 1) pulse.beat();
  await pulse.after(1, signal);
  assert.ok(performance.now() - begun >= 149, 'the second waited');
  assert.equal(pulse.count, 2);
  const stopping = new AbortController();
  const waiting = pulse.after(2, stopping.signal);
  stopping.abort();
  await waiting;
  assert.equal(pulse.count, 2);
  pulse.stop();
});

test('a listener hears of a channel, and makes up for what it may have missed', async () => {
  let heard = 0;
  const listener = startListener({
    url: database.url('docket_gateway'),
    name: 'test',
    log: createLog({ level: 'silent' }),
    channel: 'docket_changes',
    onNotification: () => (heard += 1),
  });
  await eventually('it began', () => heard === 1);
  await announce();
  await eventually('it heard', () => heard === 2);
  await listener.stop();
});
