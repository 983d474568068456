import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createLog } from '../../src/log.ts';
import { redactDue } from '../../src/redaction/redact-due.ts';
import { createRedactor } from '../../src/redaction/redactor.ts';
import { createRuleSets } from '../../src/redaction/rule-sets.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage, page, result } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db, worker } = stage;
const owner = await createLogin(database, 'docket_evidence_owner');
const log = createLog({ level: 'silent' });
const means = { ruleSets: createRuleSets(worker, log), redactor: createRedactor(log) };

async function published(pageCount = 1): Promise<string> {
  const open = await stage.running();
  const pages = Array.from({ length: pageCount }, (_, i) =>
    page(`Received ${'a'.repeat(40)}`, { page_no: i + 1 }),
  );
  await stage.record(open, result({ pages_declared: pageCount, pages_decoded: pageCount, pages }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  return open.job_id;
}

async function stageRule(name: string, pattern: string): Promise<number> {
  const rules = JSON.stringify([{ rule: 'r', reason: 'r', meaning: 'For a test.', pattern }]);
  const [row] = await commands.stageRuleSet(owner.pool, { name, meaning: 'For a test.', rules });
  return row!.rule_set_id;
}

async function redactedBy(ruleSet: number, jobs: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer as count from docket.redactions where rule_set_id = $1 and job_id = any ($2)',
    [ruleSet, jobs],
  );
  return rows[0]!.count;
}

async function activeSet(): Promise<number> {
  const { rows } = await db.query<{ id: number }>('select docket.active_rule_set() as id');
  return rows[0]!.id;
}

test('documents that a round does not come to are due in the next one, and count no try', async () => {
  const jobs = [await published(), await published(), await published()];
  for (const expected of [1, 2, 3]) {
    await redactDue(worker, { ...means, bytes: 1 });
    assert.equal(await redactedBy(await activeSet(), jobs), expected);
    const { rows } = await db.query('select * from docket.redaction_todo where tries > 0');
    assert.deepEqual(rows, []);
  }
});

test('documents take turns: a long one does not keep others waiting until all of it is done', async () => {
  const long = await published(3);
  const short = await published();
  for (const expected of [0, 1]) {
    await redactDue(worker, { ...means, bytes: 1 });
    assert.equal(await redactedBy(await activeSet(), [short]), expected);
  }
  while (await redactDue(worker, means));
  assert.equal(await redactedBy(await activeSet(), [long]), 1);
});

test('the active set goes before staged ones, however much these have to do', async () => {
  const staged = await stageRule('turns-staged', 'Received');
  const job = await published();
  await redactDue(worker, { ...means, documents: 1 });
  assert.equal(await redactedBy(await activeSet(), [job]), 1);
  while (await redactDue(worker, means));
  assert.equal(await redactedBy(staged, [job]), 1);
});

test('a set that cannot be applied, or runs away, takes no turns of others', async () => {
  await stageRule('turns-broken', '(');
  await stageRule('turns-run-away', '(?:a+)+x');
  const job = await published();
  while (await redactDue(worker, means));
  const good = await stageRule('turns-good', 'Received');
  await db.query('update docket.redaction_todo set due_at = clock_timestamp() where rule_set_id <> $1', [
    good,
  ]);
  for (let round = 0; round < 10 && (await redactedBy(good, [job])) === 0; round += 1) {
    await redactDue(worker, { ...means, documents: 5 });
  }
  assert.equal(await redactedBy(good, [job]), 1);
  const { rows } = await db.query<{ tries: number }>(
    `select max(tries)::integer as tries from docket.redaction_todo join docket.rule_sets using (rule_set_id)
     where name = 'turns-broken'`,
  );
  assert.deepEqual(rows, [{ tries: 0 }]);
});

test('a page on which a rule fails stays hidden, and the round goes on', async () => {
  const redactor = createRedactor(log);
  const failing = {
    patterns: [
      {
        rule: 'r',
        reason: 'r',
        documentKind: null,
        pattern: /a/dgiu,
        validate: () => assert.fail('as a regular expression does that needs more memory than it may have'),
      },
    ],
    regions: [],
  };
  const of = { ruleSet: { id: 1, name: 'x', rules: failing }, documentKind: 'unknown', jobId: '', pageNo: 1 };
  const read = { width: 1, height: 1, rotation: 0 as const, words: [] };
  assert.equal(await redactor.redact({ ...read, text: 'aaa' }, of), undefined);
  assert.equal((await redactor.redact({ ...read, text: 'bbb' }, of))?.text, 'bbb');
});

test('rules are not staged or activated with a view of the past: what was published since would be forgotten', async () => {
  const calls = [
    `select docket.stage_rule_set('turns-past', 'x', '[{"rule": "r", "reason": "r", "meaning": "r", "pattern": "x"}]')`,
    `select docket.activate_rule_set(1, 'Why')`,
  ];
  const client = await owner.pool.connect();
  for (const call of calls) {
    await client.query('begin isolation level repeatable read');
    await refused('ZD064', client.query(call));
    await client.query('rollback');
  }
  client.release();
});
