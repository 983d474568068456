import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, createSender } from '../support/logins.ts';
import { asToken, type Token } from './as-token.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
await createSender(database, 'carrier-b');
const analyst = await createLogin(database, 'docket_analyst');
await commands.addSourceReader(database.pool(), { sourceId: 'carrier-a', login: analyst.name });

const ann: Token = { role: 'analyst', sources: ['carrier-a'], sub: 'ann' };
const ben: Token = { role: 'analyst', sources: ['carrier-a', 'carrier-b'], sub: 'ben' };
const eve: Token = { role: 'evidence_owner', sources: ['carrier-a'], sub: 'eve' };
const olga: Token = { role: 'operator', sources: ['carrier-a'], sub: 'olga' };
const NOBODY = '00000000-0000-8000-8000-000000000000';
const OTHERS = ['carrier-b'];

const as = async (token: Token, text: string, values: unknown[] = []) =>
  (await asToken(database, token, text, values)).rows;
const unmask = (
  token: Token,
  job: string,
  page: number | null,
  reason: string | null = 'a claim for damages',
) => as(token, 'select * from docket_api.request_unmask($1, $2, $3)', [job, page, reason]);

test('an analyst asks for what is masked: a row, and an event of the document', async () => {
  const job = await stage.published();
  const [asked] = await unmask(ben, job, 1);
  assert.deepEqual(
    [asked?.['document_id'], asked?.['page_no'], asked?.['requested_by']],
    [job, 1, 'token:ben'],
  );
  const event = await stage.lastEvent(job);
  assert.deepEqual(
    [event['event'], event['from_state'], event['to_state'], event['actor'], event['reason'], event.detail],
    [
      'unmask_requested',
      'published',
      'published',
      'token:ben',
      'a claim for damages',
      { request: Number(asked?.['unmask_request_id']), page: 1 },
    ],
  );
  const { rows } = await stage.db.query('select sources from docket.unmask_requests where job_id = $1', [
    job,
  ]);
  assert.deepEqual(rows, [{ sources: ['carrier-a'] }]);
  assert.deepEqual(
    (await as({ ...eve, role: 'auditor' }, 'select * from docket.verify_log()'))[0]?.['failed_count'],
    '0',
  );
});

test('the same person cannot fill the log of a document with requests', async () => {
  const job = await stage.published();
  for (let asked = 0; asked < 10; asked += 1) await unmask(ann, job, 1);
  await refused('ZD027', unmask(ann, job, 1));
  await unmask(ben, job, 1);
});

test('analysts see what they asked for themselves, evidence owners what was asked of their documents', async () => {
  const job = await stage.published();
  await unmask(ann, job, null, 'mine');
  await unmask(ben, job, null, 'his');
  const reasons = async (token: Token) =>
    (
      await as(token, 'select reason from docket_api.unmask_requests where document_id = $1 order by 1', [
        job,
      ])
    ).map((row) => row['reason']);
  assert.deepEqual(await reasons(ann), ['mine']);
  assert.deepEqual(await reasons(ben), ['his']);
  assert.deepEqual(await reasons({ ...ann, sources: OTHERS }), []);
  assert.deepEqual(await reasons(eve), ['his', 'mine']);
  assert.deepEqual(await reasons({ ...eve, sources: OTHERS }), []);
  await refused('42501', reasons(olga));
});

test('asking about a document of others fails as asking about none does', async () => {
  const job = await stage.published();
  const foreign = await refused('ZD020', unmask({ ...ann, sources: OTHERS }, job, null));
  const unknown = await refused('ZD020', unmask(ann, NOBODY, null));
  assert.equal(foreign.message.replace(job, NOBODY), unknown.message);
  // A scan that was never verified is nobody's document yet.
  await refused('ZD020', unmask(ann, await stage.deliver(), null));
});

test('asking needs a reason of bearable length, a page that exists, and a published document', async () => {
  const job = await stage.published();
  for (const reason of [null, '', '  ', 'x'.repeat(1001)])
    await refused('ZD021', unmask(ann, job, 1, reason));
  for (const page of [0, 2, -1]) await refused('ZD026', unmask(ann, job, page));
  await refused('ZD002', unmask(ann, await stage.validated(), null));
  assert.deepEqual(
    await stage.events(job),
    (await stage.events(job)).filter((event) => event !== 'unmask_requested'),
  );
});

test('requests are kept: they are neither changed nor removed', async () => {
  await unmask(ann, await stage.published(), null);
  for (const act of [
    `update docket.unmask_requests set reason = 'other'`,
    'delete from docket.unmask_requests',
    'truncate docket.unmask_requests',
    `update docket.document_sources set source_id = 'carrier-b'`,
    'delete from docket.document_sources',
    'truncate docket.document_sources',
  ]) {
    await refused('ZD001', stage.db.query(act));
  }
});

test('an evidence owner releases what is quarantined of his sources, all of it or none', async () => {
  const mine = await stage.quarantined();
  const second = await stage.quarantined();
  const release = (token: Token, jobs: (string | null)[] | null, reason: string | null = 'looked at it') =>
    as(token, 'select job_id, state from docket_api.release_from_quarantine($1, $2)', [jobs, reason]);
  const foreign = await refused('ZD020', release({ ...eve, sources: OTHERS }, [mine]));
  const unknown = await refused('ZD020', release(eve, [NOBODY]));
  assert.equal(foreign.message.replace(mine, NOBODY), unknown.message);
  await refused('ZD020', release(eve, [mine, NOBODY]));
  await refused('ZD021', release(eve, [mine], ' '));
  for (const token of [ann, olga, { ...eve, role: 'auditor' } as const])
    await refused('42501', release(token, [mine]));
  assert.equal((await stage.job(mine))['state'], 'quarantined');

  const released = await release(eve, [mine, second, mine]);
  assert.deepEqual(
    released.sort((a, b) => String(a['job_id']).localeCompare(String(b['job_id']))),
    [mine, second].sort().map((job_id) => ({ job_id, state: 'accepted' })),
  );
  assert.equal((await stage.events(mine)).filter((event) => event === 'released').length, 1);
  await refused('ZD002', release(eve, [mine]));
  assert.deepEqual(await release(eve, []), []);
  assert.deepEqual(await release(eve, null), []);
});

test('an operator disables a source that is his, and enables it again', async () => {
  const set = (token: Token, source: string, isEnabled: boolean) =>
    as(token, 'select source_id, is_enabled from docket_api.set_source_enabled($1, $2)', [source, isEnabled]);
  assert.deepEqual(await set(olga, 'carrier-a', false), [{ source_id: 'carrier-a', is_enabled: false }]);
  await refused('ZD017', stage.deliver());
  assert.deepEqual(await set(olga, 'carrier-a', true), [{ source_id: 'carrier-a', is_enabled: true }]);
  await stage.deliver();
  const { rows: changes } = await stage.db.query<Record<string, unknown>>(
    `select changed_by, old_value, new_value, reason from docket.changes where control = 'source' order by change_id`,
  );
  assert.deepEqual(changes, [
    {
      changed_by: 'token:olga',
      old_value: true,
      new_value: false,
      reason: 'Disabled, without a stated reason.',
    },
    {
      changed_by: 'token:olga',
      old_value: false,
      new_value: true,
      reason: 'Enabled, without a stated reason.',
    },
  ]);
  const foreign = await refused('ZD023', set(olga, 'carrier-b', false));
  const unknown = await refused('ZD023', set(olga, 'carrier-x', false));
  assert.equal(foreign.message.replace('carrier-b', 'carrier-x'), unknown.message);
  for (const token of [ann, eve, { ...eve, role: 'auditor' } as const]) {
    await refused('42501', set(token, 'carrier-a', false));
  }
});

test('an analyst who leaves a transaction open holds up no delivery but of the document he asked about', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  const client = await analyst.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select docket_api.request_unmask($1, null, 'why')`, [job]);
    await stage.deliver({ sha256 });
    const next = await stage.deliver();
    await stage.admit();
    assert.deepEqual(await stage.events(next), ['accepted', 'admitted']);
    await client.query('commit');
    await stage.admit();
    assert.deepEqual((await stage.events(job)).slice(-2), ['unmask_requested', 'delivered_again']);
  } finally {
    client.release();
  }
});
