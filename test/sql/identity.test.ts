import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { asGateway, asToken } from './as-token.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const DENIED = '42501';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');
const reader = await createLogin(database, 'docket_analyst');
await commands.addSourceReader(database.pool(), { sourceId: 'carrier-a', login: reader.name });
const mine = await stage.published();
const theirs = await publishedBy(other);

async function publishedBy(sender: typeof other): Promise<string> {
  const job = await stage.deliver({}, sender);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'));
  await stage.record(await stage.begin(job, 'ocr'));
  await stage.publish(await stage.begin(job, 'publish'));
  return job;
}

/** The documents that a source sees, as the tables have them. */
async function documentsOf(...sources: string[]): Promise<string[]> {
  const { rows } = await stage.db.query<{ id: string }>(
    'select distinct job_id as id from docket.document_sources where source_id = any ($1) order by 1',
    [sources],
  );
  return rows.map((row) => row.id);
}

const ids = (result: { rows: Record<string, unknown>[] }) =>
  result.rows.map((row) => row['document_id']).sort();
const DOCUMENTS = 'select document_id from docket_api.documents';
const ANALYST = { role: 'docket_analyst' };

test('a token shows the documents of its sources and of no others', async () => {
  assert.deepEqual(ids(await asToken(database, { role: 'analyst', sources: ['carrier-a'] }, DOCUMENTS)), [
    mine,
  ]);
  assert.deepEqual(ids(await asToken(database, { role: 'analyst', sources: ['carrier-b'] }, DOCUMENTS)), [
    theirs,
  ]);
  const both = { role: 'analyst', sources: ['carrier-a', 'carrier-b', 'no-such-source'] } as const;
  assert.deepEqual(ids(await asToken(database, both, DOCUMENTS)), [mine, theirs].sort());
  assert.deepEqual(
    ids(await asToken(database, { role: 'analyst', sources: ['*'] }, DOCUMENTS)),
    [mine, theirs].sort(),
  );
  assert.deepEqual(ids(await asToken(database, { role: 'analyst', sources: [] }, DOCUMENTS)), []);
});

test('staff who come by a token are bound to its sources too', async () => {
  for (const role of ['evidence_owner', 'auditor'] as const) {
    assert.deepEqual(
      ids(await asToken(database, { role, sources: ['carrier-b'] }, DOCUMENTS)),
      [theirs],
      role,
    );
  }
  const jobs = await asToken(
    database,
    { role: 'operator', sources: ['carrier-b'] },
    'select job_id as document_id from docket_api.jobs',
  );
  assert.deepEqual(ids(jobs), [theirs]);
});

test('the gateway without a role may read nothing at all', async () => {
  for (const view of ['documents', 'events', 'submissions', 'sources', 'jobs', 'failure_codes']) {
    await refused(DENIED, asGateway(database, {}, `select * from docket_api.${view}`));
  }
  await refused(DENIED, asGateway(database, {}, 'select * from docket.deliveries'));
  await refused(DENIED, asGateway(database, {}, 'select docket.visible_sources()'));
});

test('the gateway may become no role but those of people and senders', async () => {
  for (const role of ['docket_owner', 'docket_worker', 'docket_queue', 'docket_door', 'postgres']) {
    await refused(DENIED, asGateway(database, { role }, 'select 1'));
  }
});

test('claims that are missing, empty or of another shape show nothing or fail; they never show more', async () => {
  const settings = [
    undefined,
    '',
    'null',
    '{}',
    '[]',
    '"*"',
    '{"sub":"ann"}',
    '["*"]',
    '{"sources":[null, 1, ["*"]]}',
  ];
  for (const claims of settings) {
    const given = claims === undefined ? ANALYST : { ...ANALYST, claims };
    assert.deepEqual(ids(await asGateway(database, given, DOCUMENTS)), [], claims);
  }
  for (const claims of ['{', 'carrier-a', '{"sources":null}', '{"sources":"*"}', '{"sources":{"*":true}}']) {
    await assert.rejects(asGateway(database, { ...ANALYST, claims }, DOCUMENTS), claims);
  }
});

test('claims end with their transaction: the next request of the connection starts with none', async () => {
  const client = await database.pool('docket_gateway').connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('docket.claims', '{"sub":"ann","role":"analyst","sources":["*"]}', true)`,
    );
    await client.query('set local role docket_analyst');
    assert.equal((await client.query(DOCUMENTS)).rowCount, 2);
    await client.query('commit');
    await client.query('begin; set local role docket_analyst');
    assert.equal((await client.query(DOCUMENTS)).rowCount, 0);
    await client.query('rollback');
  } finally {
    client.release();
  }
});

test('a prepared statement shows each token its own documents', async () => {
  const client = await database.pool('docket_gateway').connect();
  const read = async (source: string) => {
    await client.query('begin; set local role docket_analyst');
    await client.query(`select set_config('docket.claims', $1, true)`, [
      JSON.stringify({ sub: 'x', sources: [source] }),
    ]);
    const result = await client.query<Record<string, unknown>>({ name: 'documents', text: DOCUMENTS });
    await client.query('commit');
    return ids(result);
  };
  try {
    // often enough for the server to settle on a plan without parameters
    for (let round = 0; round < 8; round += 1) {
      assert.deepEqual(await read('carrier-a'), [mine]);
      assert.deepEqual(await read('carrier-b'), [theirs]);
    }
  } finally {
    client.release();
  }
});

test('what a token does is recorded under its subject', async () => {
  const unmask = `select requested_by from docket_api.request_unmask($1, null, 'a claim for damages')`;
  const { rows } = await asToken(database, { role: 'analyst', sources: ['carrier-a'], sub: 'ann' }, unmask, [
    mine,
  ]);
  assert.deepEqual(rows, [{ requested_by: 'token:ann' }]);
  assert.equal((await stage.lastEvent(mine))['actor'], 'token:ann');

  const held = await stage.quarantined();
  const release = `select job_id, state from docket_api.release_from_quarantine(array[$1::uuid], 'looked at it')`;
  const owner = { role: 'evidence_owner', sources: ['carrier-a'], sub: 'eve' } as const;
  assert.deepEqual((await asToken(database, owner, release, [held])).rows, [
    { job_id: held, state: 'accepted' },
  ]);
  const event = await stage.lastEvent(held);
  assert.deepEqual(
    [event['event'], event['actor'], event['reason']],
    ['released', 'token:eve', 'looked at it'],
  );
});

test('a token without a subject can do nothing that is recorded', async () => {
  for (const sub of ['', ' ']) {
    await refused(
      'ZD006',
      asToken(
        database,
        { role: 'analyst', sources: ['carrier-a'], sub },
        `select docket_api.request_unmask($1, null, 'why')`,
        [mine],
      ),
    );
  }
  await refused(
    'ZD006',
    asGateway(
      database,
      { ...ANALYST, claims: '{"sources":["*"]}' },
      'select * from docket_api.unmask_requests',
    ),
  );
});

test('a token acts as the role that it names, not as every role that the gateway could take', async () => {
  const roles = [
    'docket_analyst',
    'docket_operator',
    'docket_evidence_owner',
    'docket_auditor',
    'docket_worker',
  ];
  const question = 'select name from unnest($1::text[]) as r (name) where docket.acts_as(name::name)';
  await stage.db.query(
    'grant usage on schema docket to docket_analyst; grant execute on function docket.acts_as to public',
  );
  try {
    for (const role of ['analyst', 'operator', 'evidence_owner', 'auditor'] as const) {
      const { rows } = await asToken(database, { role, sources: ['*'] }, question, [roles]);
      assert.deepEqual(rows, [{ name: `docket_${role}` }]);
    }
  } finally {
    await stage.db.query(
      'revoke usage on schema docket from docket_analyst; revoke execute on function docket.acts_as from public',
    );
  }
});

test('an event that belongs to another role is refused to a token, whatever command it came by', async () => {
  const held = await stage.quarantined();
  await stage.db.query('grant execute on function docket.release_quarantined to docket_operator');
  const act = asToken(
    database,
    { role: 'operator', sources: ['*'], sub: 'olga' },
    `select docket.release_quarantined(array[$1::uuid], 'why')`,
    [held],
  );
  assert.match((await refused('ZD005', act)).message, /"token:olga" may not record event "released"/);
  await stage.db.query('revoke execute on function docket.release_quarantined from docket_operator');
});

test('a login that sets the claims itself is not asked for them', async () => {
  const client = await reader.pool.connect();
  try {
    await client.query(`set docket.claims = '{"sub":"eve","role":"auditor","sources":["*"]}'`);
    assert.deepEqual(
      ids(await client.query<Record<string, unknown>>(DOCUMENTS)),
      await documentsOf('carrier-a'),
    );
    const { rows } = await client.query<Record<string, unknown>>(
      `select requested_by from docket_api.request_unmask($1, null, 'why')`,
      [mine],
    );
    assert.deepEqual(rows, [{ requested_by: reader.name }]);
  } finally {
    client.release();
  }
});

test('a login of its own sees by its groups: staff everything, an analyst what it is a reader of, others nothing', async () => {
  const auditor = await createLogin(database, 'docket_auditor');
  const owner = await createLogin(database, 'docket_evidence_owner');
  const stranger = await createLogin(database, 'docket_analyst');
  const all = await documentsOf('carrier-a', 'carrier-b');
  assert.ok(all.length >= 3);
  for (const { pool } of [auditor, owner]) {
    assert.deepEqual(ids(await pool.query<Record<string, unknown>>(DOCUMENTS)), all);
  }
  assert.deepEqual(
    ids(await reader.pool.query<Record<string, unknown>>(DOCUMENTS)),
    await documentsOf('carrier-a'),
  );
  assert.deepEqual(ids(await stranger.pool.query<Record<string, unknown>>(DOCUMENTS)), []);
  await refused(DENIED, stage.sender.pool.query(DOCUMENTS));
  await refused(DENIED, stage.worker.query(DOCUMENTS));
});
