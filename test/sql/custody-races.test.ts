import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin } from '../support/logins.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';
import { page, randomHash, result } from './stage.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta, further } = custody;
const { stage } = further;
const clara = await createLogin(database, 'docket_evidence_owner');

/** Does `first` in an open transaction, starts `second`, waits until it waits, and commits. */
async function whileOpen(
  pool: pg.Pool,
  first: (client: pg.PoolClient) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await first(client);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const settled = Promise.allSettled([second()]);
    await eventually('the second waits for the first', async () => {
      const { rowCount } = await custody.db.query(
        'select from pg_stat_activity a where $1 = any (pg_blocking_pids(a.pid))',
        [rows[0]!.pid],
      );
      return rowCount;
    });
    await client.query('commit');
    return (await settled)[0];
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const codeOf = (settled: PromiseSettledResult<unknown>): string =>
  settled.status === 'fulfilled' ? 'done' : String((settled.reason as pg.DatabaseError).code);

const approval = (job: string) => (client: pg.PoolClient) =>
  commands.approveDisposal(client, { jobs: [job], reason: 'agreed' });

async function requested(kept: Parameters<CustodyStage['published']>[0] = {}): Promise<string> {
  const { job } = await custody.published(kept);
  await custody.request(job);
  return job;
}

/** A published document that no rule set has redacted and no index holds yet. */
async function fresh(text: string): Promise<string> {
  const open = await stage.running();
  await stage.record(open, result({ pages: [page(text)] }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  await custody.request(open.job_id);
  return open.job_id;
}

test('of two approvals at once one disposes, and the other is told that it is done', async () => {
  const job = await requested();
  const second = await whileOpen(berta.pool, approval(job), () => custody.approve(job, clara));
  assert.equal(codeOf(second), 'ZD030');
  assert.equal((await stage.events(job)).filter((event) => event === 'disposed').length, 1);
});

test('many approvals, withdrawals and holds at once leave one decision and a whole log', async () => {
  for (let round = 0; round < 5; round += 1) {
    const job = await requested();
    const ended = await Promise.allSettled([
      custody.approve(job, berta),
      custody.approve(job, clara),
      commands.withdrawDisposal(clara.pool, { jobs: [job], reason: 'no' }),
      commands.placeHold(berta.pool, { jobs: [job], matter: 'A', reason: 'court' }),
      commands.extendRetention(clara.pool, { jobs: [job], until: '2040-01-01', reason: 'claim' }),
    ]);
    for (const code of ended.map(codeOf))
      assert.ok(['done', 'ZD030', 'ZD031', 'ZD032', 'ZD034'].includes(code), code);
    const events = await stage.events(job);
    const last = events.lastIndexOf('disposed');
    assert.ok(last === -1 || last === events.length - 1, events.join(' '));
  }
  assert.deepEqual(await custody.wrong(), []);
});

test('an approval that waited for a hold is refused, and so is a hold that waited for an approval', async () => {
  const first = await requested();
  const hold = (client: commands.Queryable, job: string) =>
    commands.placeHold(client, { jobs: [job], matter: 'A', reason: 'court' });
  assert.equal(
    codeOf(
      await whileOpen(
        anna.pool,
        (client) => hold(client, first),
        () => custody.approve(first),
      ),
    ),
    'ZD032',
  );
  const second = await requested();
  assert.equal(codeOf(await whileOpen(berta.pool, approval(second), () => hold(anna.pool, second))), 'ZD030');
});

test('a document that is being indexed is disposed of with what was indexed', async () => {
  const job = await fresh('Sauerkirschmarmelade');
  const settled = await whileOpen(
    stage.worker,
    (client) => commands.indexPages(client, { limit: 100 }),
    () => custody.approve(job),
  );
  assert.equal(codeOf(settled), 'done');
  assert.deepEqual(await custody.tablesWith('sauerkirschmarmelade'), []);
});

test('nothing of a document is indexed while it is disposed of, or after', async () => {
  const job = await fresh('Stachelbeergelee');
  const client = await berta.pool.connect();
  try {
    await client.query('begin');
    await approval(job)(client);
    await custody.index();
    await client.query('commit');
  } finally {
    await client.query('rollback');
    client.release();
  }
  await custody.index();
  assert.deepEqual(await custody.tablesWith('stachelbeergelee'), []);
});

test('redactions that are recorded before or after an approval leave no text behind', async () => {
  const redact = async (client: commands.Queryable, job: string, text: string) => {
    const { rows } = await custody.db.query<{ attempt: number; rules: number }>(
      'select result_attempt as attempt, docket.active_rule_set() as rules from docket.jobs where job_id = $1',
      [job],
    );
    return commands.recordRedactions(client, {
      ruleSets: [rows[0]!.rules],
      jobs: [job],
      attempts: [rows[0]!.attempt],
      pageNos: [1],
      texts: [text],
      words: ['[]'],
      masks: ['[]'],
    });
  };
  const before = await fresh('Rhabarberkuchen');
  const approved = await whileOpen(
    stage.worker,
    (client) => redact(client, before, 'Rhabarberkuchen'),
    () => custody.approve(before),
  );
  assert.equal(codeOf(approved), 'done');
  const after = await fresh('Mirabellenkompott');
  const late = await whileOpen(berta.pool, approval(after), () =>
    redact(stage.worker, after, 'Mirabellenkompott'),
  );
  assert.equal(codeOf(late), 'done');
  assert.deepEqual(await custody.tablesWith('rhabarberkuchen', 'mirabellenkompott'), []);
  const { rowCount } = await custody.db.query('select from docket.redaction_todo where job_id = any ($1)', [
    [before, after],
  ]);
  assert.equal(rowCount, 0);
});

test('a redaction that is complete already and comes again while its document is disposed of writes nothing', async () => {
  const { job } = await custody.published({ pages: ['Quittenbrot'] });
  await custody.request(job);
  const { rows } = await custody.db.query<{ attempt: number; rules: number }>(
    'select result_attempt as attempt, docket.active_rule_set() as rules from docket.jobs where job_id = $1',
    [job],
  );
  await whileOpen(berta.pool, approval(job), () =>
    commands.recordRedactions(stage.worker, {
      ruleSets: [rows[0]!.rules],
      jobs: [job],
      attempts: [rows[0]!.attempt],
      pageNos: [1],
      texts: ['Quittenbrot'],
      words: ['[]'],
      masks: ['[]'],
    }),
  );
  assert.deepEqual(await custody.tablesWith('quittenbrot'), []);
});

test('rules that are staged while a document is disposed of do not list it', async () => {
  const job = await requested();
  const settled = await whileOpen(berta.pool, approval(job), () =>
    commands.stageRuleSet(anna.pool, {
      name: 'meanwhile',
      meaning: 'nothing',
      rules: JSON.stringify([{ rule: 'never', reason: 'phone', meaning: 'none', pattern: 'never' }]),
    }),
  );
  assert.equal(codeOf(settled), 'done');
  const { rowCount } = await custody.db.query('select from docket.redaction_todo where job_id = $1', [job]);
  assert.equal(rowCount, 0);
});

test('a delivery during a disposal waits for nothing, and is erased once admission notices it', async () => {
  const { job, sha256 } = await custody.published();
  await custody.request(job);
  const client = await berta.pool.connect();
  try {
    await client.query('begin');
    await approval(job)(client);
    await stage.sender.pool.query(
      `insert into docket.submissions
         (source_id, sha256, locator, size_bytes, media_type, captured_at, signer, encryption)
       values ('carrier-a', $1, 'memory:meanwhile', 1000, 'image/png', '2026-06-01', '{"name": "Kunigunde"}', 'none')`,
      [sha256],
    );
    await stage.admit();
    await client.query('commit');
  } finally {
    await client.query('rollback');
    client.release();
  }
  assert.deepEqual(await custody.wrong(), [], 'what admission has not noticed yet is not left over');
  assert.deepEqual(await custody.tablesWith('kunigunde'), ['docket.deliveries']);
  await stage.admit();
  assert.deepEqual(await custody.tablesWith('kunigunde'), []);
  assert.deepEqual((await stage.events(job)).slice(-2), ['disposed', 'delivered_again']);
});

test('a check of a further delivery that ends after the disposal shows nobody anything', async () => {
  const { job, sha256 } = await custody.published();
  await custody.deliver({ sha256, sender: further.other });
  const [check] = await further.claim();
  await custody.dispose(job);
  assert.deepEqual(await further.record({ [check!.delivery_id]: null }), { [check!.delivery_id]: 'stale' });
  assert.deepEqual(await further.seenBy(job), ['carrier-a']);
});

test('a key that is recorded for a disposed document goes with its delivery', async () => {
  const { job, sha256 } = await custody.published();
  await custody.dispose(job);
  const wrappedKey = Buffer.from('a key made too late');
  const locator = 'memory:put-again';
  await commands.recordObject(stage.sender.pool, {
    objectKeyId: randomUUID(),
    sourceId: 'carrier-a',
    locator,
    version: null,
    sha256,
    sizeBytes: '1000',
    sealedSha256: randomHash(),
    sealedSizeBytes: '1300',
    keyId: 'key-1',
    wrappedKey,
  });
  assert.deepEqual(await custody.wrong(), []);
  await stage.sender.pool.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at)
     values ('carrier-a', $1, $2, 1000, 'image/png', '2026-06-01')`,
    [sha256, locator],
  );
  await stage.admit();
  assert.deepEqual(await custody.tablesWith(wrappedKey.toString('hex')), []);
  assert.deepEqual(await custody.wrong(), []);
});

test('the sweep passes over a document that somebody is deciding on', async () => {
  await custody.db.query('select docket.end_retentions(10000)');
  const { job } = await custody.published();
  const client = await anna.pool.connect();
  try {
    await client.query('begin');
    await commands.placeHold(client, { jobs: [job], matter: 'A', reason: 'court' });
    assert.deepEqual(await commands.endRetentions(stage.worker, { limit: 10 }), []);
    await client.query('commit');
  } finally {
    await client.query('rollback');
    client.release();
  }
  assert.deepEqual(await commands.endRetentions(stage.worker, { limit: 10 }), []);
  await refused('ZD032', custody.request(job));
});
