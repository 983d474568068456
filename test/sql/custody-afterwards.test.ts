import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { CustodyStage } from './custody-stage.ts';
import { named, randomHash, result } from './stage.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, further } = custody;
const { stage } = further;

async function one<Value>(text: string, ...values: unknown[]): Promise<Value> {
  const { rows } = await custody.db.query<Record<string, Value>>(text, values);
  return Object.values(rows[0]!)[0]!;
}

test('a delivery of a disposed document is recorded and erased, and brings nothing back', async () => {
  for (const make of [() => custody.published(), () => custody.unread()]) {
    const { job, sha256 } = await make();
    await custody.dispose(job);
    const state = (await stage.job(job))['state'];
    for (const sender of [stage.sender, further.other]) {
      const again = await custody.deliver({ sha256, signer: { name: 'Notburga Federhalter' }, sender });
      assert.equal(again.job, job);
      assert.deepEqual(await custody.tablesWith('federhalter', again.wrappedKey.toString('hex')), []);
      assert.equal(
        await one(`select act from docket.object_orders where locator = $1`, again.locator),
        'remove',
      );
    }
    assert.deepEqual((await stage.events(job)).slice(-3), ['disposed', 'delivered_again', 'delivered_again']);
    assert.equal((await stage.job(job))['state'], state);
    assert.deepEqual(await further.checksOf(job), []);
  }
  assert.deepEqual(await custody.wrong(), []);
});

test('an object that another document needs is not removed', async () => {
  const kept = await custody.published();
  const named = async (locator: string, sha256: Buffer, verify: boolean) => {
    const job = await stage.deliver({ sha256, locator });
    await stage.admit();
    const open = await stage.begin(job, 'hash');
    if (verify) await stage.verify(open);
    else await stage.fail(open, 'HASH_MISMATCH');
    if (verify) await stage.fail(await stage.begin(job, 'ocr'), 'CORRUPT');
    return job;
  };
  const ordered = async (locator: string) =>
    (
      await custody.db.query(`select from docket.object_orders where act = 'remove' and locator = $1`, [
        locator,
      ])
    ).rowCount;

  // a delivery that states the object of another as its own
  await custody.dispose(await named(kept.locator, randomHash(), false));
  assert.equal(await ordered(kept.locator), 0, 'the object of the other is there still');
  // … and whoever merely names an object does not keep it from being removed
  await custody.dispose(kept.job);
  assert.equal(await ordered(kept.locator), 1);

  // a key recorded for the place of an object that another source was first to deliver, and nobody has seen yet
  const unseen = `memory:${randomHash().toString('hex')}`;
  await stage.deliver({ locator: unseen }, further.other);
  const { job: disposed, sha256 } = await custody.published();
  await custody.dispose(disposed);
  await commands.recordObject(stage.sender.pool, {
    objectKeyId: randomUUID(),
    sourceId: stage.sender.sourceId,
    locator: unseen,
    version: null,
    sha256,
    sizeBytes: '1',
    sealedSha256: randomHash(),
    sealedSizeBytes: '1',
    keyId: 'key-1',
    wrappedKey: randomHash(),
  });
  await stage.deliver({ sha256 });
  await stage.admit();
  assert.equal(await one('select count(*)::integer from docket.object_keys where locator = $1', unseen), 0);
  assert.equal(await ordered(unseen), 0);

  // one place for two scans that were both seen there, as in a store that is overwritten
  const [first, second] = [
    await named('memory:twice', randomHash(), true),
    await named('memory:twice', randomHash(), true),
  ];
  await custody.dispose(first);
  assert.equal(await ordered('memory:twice'), 0);
  await custody.dispose(second);
  assert.equal(await ordered('memory:twice'), 1);
});

test('a worker that comes late with text or redactions of a disposed document is told so, and the others are not', async () => {
  const { job } = await custody.published({ pages: ['Spaetlese'] });
  const attempt = await one<number>('select result_attempt from docket.jobs where job_id = $1', job);
  const rules = await one<number>('select docket.active_rule_set()');
  await custody.dispose(job);
  const other = await stage.running();
  const ended = await commands.recordResults(stage.worker, {
    jobs: [job, other.job_id],
    attempts: [attempt, other.attempt],
    tokens: ['00000000-0000-8000-8000-000000000000', named(other).tokens[0]!],
    configs: [stage.config, stage.config],
    results: [result({ pages: [] }), result()],
  });
  assert.deepEqual(Object.fromEntries(ended.map((row) => [row.job_id, row.outcome])), {
    [job]: 'stale',
    [other.job_id]: 'validated',
  });
  await commands.recordRedactions(stage.worker, {
    ruleSets: [rules],
    jobs: [job],
    attempts: [attempt],
    pageNos: [1],
    texts: ['Spaetlese'],
    words: ['[]'],
    masks: ['[]'],
  });
  await commands.rebuildSearch(custody.db);
  await custody.index();
  assert.deepEqual(await custody.tablesWith('spaetlese'), []);
});

test('new redaction rules are not asked to redact what was disposed of', async () => {
  const { job } = await custody.published();
  await custody.dispose(job);
  await commands.stageRuleSet(anna.pool, {
    name: 'after-disposal',
    meaning: 'nothing',
    rules: JSON.stringify([{ rule: 'never', reason: 'phone', meaning: 'none', pattern: 'never' }]),
  });
  assert.equal(await one('select count(*)::integer from docket.redaction_todo where job_id = $1', job), 0);
});
