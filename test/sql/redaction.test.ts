import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { VALIDATORS } from '../../src/domain/redaction/validators.ts';
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
const analyst = await createLogin(database, 'docket_analyst');
await db.query(`select docket.add_source_reader('carrier-a', $1)`, [analyst.name]);

const RULES = [{ rule: 'names', reason: 'name', meaning: 'A name.', pattern: 'Ada Lovelace' }];
const log = createLog({ level: 'silent' });

async function stageRules(name: string, rules: unknown = RULES): Promise<number> {
  const [row] = await commands.stageRuleSet(owner.pool, {
    name,
    meaning: 'For a test.',
    rules: JSON.stringify(rules),
  });
  return row!.rule_set_id;
}

/** As a worker does, until nothing is due. */
async function redactAll(): Promise<void> {
  const means = { ruleSets: createRuleSets(worker, log), redactor: createRedactor(log) };
  while (await redactDue(worker, means));
}

async function published(text = 'Received by Ada Lovelace in good order'): Promise<string> {
  const open = await stage.running();
  const words = text.split(' ').map((word, i) => [word, 90, i * 10, 0, i * 10 + 9, 9]);
  await stage.record(open, result({ pages: [page(text, { words })] }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  return open.job_id;
}

async function seen(
  job: string,
): Promise<{ text: string; words: unknown[]; masks: Record<string, unknown>[]; rule_set_id: number }[]> {
  const { rows } = await analyst.pool.query<never>(
    'select text, words, masks, rule_set_id from docket_api.pages where document_id = $1 order by page_no',
    [job],
  );
  return rows;
}

async function counts(ruleSet: number): Promise<Record<string, unknown>> {
  const { rows } = await analyst.pool.query<Record<string, unknown>>(
    'select state, is_emergency, published, redacted, withheld from docket_api.rule_sets where rule_set_id = $1',
    [ruleSet],
  );
  return rows[0]!;
}

/** Everything that redaction must not touch, as bytes. */
async function evidence(): Promise<unknown> {
  const { rows } = await db.query(`
    select (select md5(string_agg(e::text, '' order by e.job_id)) from docket.evidence e) as evidence,
      (select md5(string_agg(r::text, '' order by r.job_id, r.attempt)) from docket.results r) as results,
      (select md5(string_agg(p::text, '' order by p.job_id, p.page_no)) from docket.pages p) as pages,
      (select md5(string_agg(s::text, '' order by s.job_id)) from docket.job_salts s) as salts,
      (select md5(string_agg(e::text, '' order by e.event_id)) from docket_audit.events e) as events,
      (select md5(string_agg(j::text, '' order by j.job_id)) from docket.jobs j) as jobs`);
  return rows[0];
}

test('a published page is not visible to an analyst before the active rules have redacted it', async () => {
  const job = await published();
  assert.deepEqual(await seen(job), []);
  await redactAll();
  const [shown] = await seen(job);
  assert.equal(shown?.text, 'Received by ███ ████████ in good order');
  assert.deepEqual(
    shown.words.map((word) => (word as string[])[0]),
    ['Received', 'by', 'in', 'good', 'order'],
  );
  assert.deepEqual(shown.masks, [
    {
      rule: 'name_after_deed',
      reason: 'name',
      start: 12,
      length: 12,
      boxes: [
        [20, 0, 29, 9],
        [30, 0, 39, 9],
      ],
    },
  ]);
  // the place is the one that Postgres counts
  const { rows } = await db.query(
    'select substring(text from 12 + 1 for 12) as found from docket.pages where job_id = $1',
    [job],
  );
  assert.deepEqual(rows, [{ found: 'Ada Lovelace' }]);
});

test('a document is visible whole or not at all: one page is missing, no page is shown', async () => {
  const open = await stage.running();
  const pages = [1, 2, 3].map((page_no) => page('Received in good order', { page_no }));
  await stage.record(open, result({ pages_declared: 3, pages_decoded: 3, pages }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  const means = { ruleSets: createRuleSets(worker, log), redactor: createRedactor(log) };
  // so few bytes that each round takes one page
  for (const expected of [0, 0, 3]) {
    await redactDue(worker, { ...means, documents: 1, bytes: 1 });
    assert.equal((await seen(open.job_id)).length, expected);
  }
});

test('a result may bring its redaction along, and is readable as soon as it is published', async () => {
  const { rows } = await db.query<{ id: number }>('select docket.active_rule_set() as id');
  const redaction = {
    rule_set_id: rows[0]!.id,
    pages: [{ page_no: 1, text: 'shown', words: [], masks: [] }],
  };
  const open = await stage.running();
  await stage.record(open, result({ redaction }));
  const hash = (await stage.job(open.job_id))['result_sha256'];
  assert.deepEqual(await seen(open.job_id), []);
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  assert.equal((await seen(open.job_id))[0]?.text, 'shown');
  assert.ok(hash);
  const { rows: failed } = await db.query('select * from docket.verify_results() where failed_count > 0');
  assert.deepEqual(failed, []);
});

test('a redaction that lacks a page does not count', async () => {
  const { rows } = await db.query<{ id: number }>('select docket.active_rule_set() as id');
  const open = await stage.running();
  const pages = [1, 2].map((page_no) => page('Received in good order', { page_no }));
  const redaction = { rule_set_id: rows[0]!.id, pages: [{ page_no: 1, text: 'x', words: [], masks: [] }] };
  await stage.record(open, result({ pages_declared: 2, pages_decoded: 2, pages, redaction }));
  await stage.publish(await stage.begin(open.job_id, 'publish'));
  assert.deepEqual(await seen(open.job_id), []);
  await redactAll();
  assert.equal((await seen(open.job_id)).length, 2);
});

test('a document of very many pages is recorded with its redaction within the time that a worker has', async () => {
  const { rows } = await db.query<{ id: number }>('select docket.active_rule_set() as id');
  const pageCount = 4_000;
  const words = Array.from({ length: 5 }, (_, i) => [`word${i}`, 90, i, 0, i + 1, 1]);
  const pages = Array.from({ length: pageCount }, (_, i) =>
    page('Received in good order', { page_no: i + 1, words }),
  );
  const redaction = {
    rule_set_id: rows[0]!.id,
    pages: pages.map(({ page_no }) => ({ page_no, text: 'shown', words, masks: [] })),
  };
  const open = await stage.running();
  await stage.record(open, result({ pages_declared: pageCount, pages_decoded: pageCount, pages, redaction }));
  const { rows: redacted } = await db.query('select page_count from docket.redactions where job_id = $1', [
    open.job_id,
  ]);
  assert.deepEqual(redacted, [{ page_count: pageCount }]);
});

test('a staged set shows nothing until all pages are redacted by it and it is activated; evidence stays byte for byte', async () => {
  const job = await published('Ada Lovelace owns 555');
  await redactAll();
  const before = await evidence();
  const [old] = await seen(job);
  const staged = await stageRules('test-staged', [{ ...RULES[0], pattern: '\\d{3}', rule: 'digits' }]);
  assert.deepEqual(await seen(job), [old]);
  assert.deepEqual((await counts(staged))['redacted'], 0);
  const error = await refused(
    'ZD062',
    owner.pool.query('select docket.activate_rule_set($1, $2)', [staged, 'Try']),
  );
  assert.match(error.message, /documents are still to be redacted/);
  await redactAll();
  assert.deepEqual(await seen(job), [old]);
  // rules that mask nothing are no way to read text without a record of it
  const ofStaged = 'select from docket.redacted_pages where rule_set_id = $1';
  assert.deepEqual((await owner.pool.query(ofStaged, [staged])).rowCount, 0);
  const { published: all, redacted, withheld, state } = await counts(staged);
  assert.deepEqual([redacted, withheld, state], [all, 0, 'staged']);
  await owner.pool.query('select docket.activate_rule_set($1, $2)', [staged, 'Better rules']);
  const [now] = await seen(job);
  assert.deepEqual([now?.text, now?.rule_set_id], ['Ada Lovelace owns ███', staged]);
  assert.notEqual((await owner.pool.query(ofStaged, [staged])).rowCount, 0);
  assert.deepEqual(await evidence(), before);
  // the set before it is retired, and stays citable with its pages
  assert.equal((await counts(old!.rule_set_id))['state'], 'retired');
  const kept = await db.query(
    'select text from docket.redacted_pages where job_id = $1 and rule_set_id = $2',
    [job, old!.rule_set_id],
  );
  assert.deepEqual(kept.rows, [{ text: old!.text }]);
});

test('an emergency hides at once what is not redacted yet, and the counts say so', async () => {
  const job = await published('Ada Lovelace came');
  await redactAll();
  assert.equal((await seen(job)).length, 1);
  const urgent = await stageRules('test-urgent', RULES);
  await owner.pool.query('select docket.activate_rule_set($1, $2, true)', [urgent, 'A name was missed']);
  assert.deepEqual(await seen(job), []);
  const { published: all, redacted, withheld, state, is_emergency } = await counts(urgent);
  assert.ok(Number(all) > 1);
  assert.deepEqual([redacted, withheld, state, is_emergency], [0, all, 'active', true]);
  await redactAll();
  assert.equal((await seen(job))[0]?.text, '███ ████████ came');
  assert.equal((await counts(urgent))['withheld'], 0);
});

test('a retired set must be staged again before it may be active again', async () => {
  const { rows } = await db.query<{ id: number }>(
    `select rule_set_id as id from docket.rule_sets where name = 'test-staged'`,
  );
  const error = await refused(
    'ZD062',
    owner.pool.query('select docket.activate_rule_set($1, $2)', [rows[0]!.id, 'Back']),
  );
  assert.match(error.message, /is retired/);
  await stageRules('test-staged', [{ ...RULES[0], pattern: '\\d{3}', rule: 'digits' }]);
  await redactAll();
  await owner.pool.query('select docket.activate_rule_set($1, $2)', [rows[0]!.id, 'Back']);
  assert.equal((await counts(rows[0]!.id))['state'], 'active');
});

test('a name always means the same rules', async () => {
  const first = await stageRules('test-named', RULES);
  assert.equal(await stageRules('test-named', RULES), first);
  await refused('ZD060', stageRules('test-named', [{ ...RULES[0], pattern: 'Ada' }]));
  await refused('ZD060', stageRules('test-named', [...RULES, { ...RULES[0], rule: 'more' }]));
  await refused(
    'ZD001',
    db.query(`update docket.rule_sets set name = 'other' where rule_set_id = $1`, [first]),
  );
  await refused(
    'ZD001',
    db.query(`update docket.rule_sets set recall = '{}', meaning = 'x' where rule_set_id = $1`, [first]),
  );
  await refused('ZD001', db.query('delete from docket.rule_sets where rule_set_id = $1', [first]));
  await refused(
    'ZD001',
    db.query(`update docket.redaction_rules set pattern = 'x' where rule_set_id = $1`, [first]),
  );
  await refused('ZD001', db.query('delete from docket.redaction_rules where rule_set_id = $1', [first]));
  await refused('ZD001', db.query(`update docket.rule_set_activations set reason = 'x'`));
  await refused('ZD001', db.query('delete from docket.rule_set_activations'));
});

test('rules that are not of the documented shape are refused in words', async () => {
  const wrong: [unknown, RegExp][] = [
    [[], /1 to 500/],
    [{}, /1 to 500/],
    [[{ ...RULES[0], rule: 'Not A Name' }], /rule 1 .* has no name/],
    [[{ ...RULES[0], reason: undefined }], /has no reason/],
    [[{ ...RULES[0], meaning: ' ' }], /has no meaning/],
    [[{ ...RULES[0], pattern: undefined }], /either a pattern or a region/],
    [[{ ...RULES[0], validator: 'nonsense' }], /a validator that there is not/],
    [[{ ...RULES[0], pattern: undefined, region: [0, 0, 1, 2] }], /a region that is not/],
    [[{ ...RULES[0], document_kind: 'nonsense' }], /a kind of document that there is not/],
    [[RULES[0], RULES[0]], /several are named "names"/],
  ];
  for (const [rules, message] of wrong) {
    assert.match((await refused('ZD061', stageRules('test-wrong', rules))).message, message);
  }
  await refused('ZD061', stageRules('Not A Name'));
  await refused('ZD021', owner.pool.query(`select docket.activate_rule_set(1, ' ')`));
  await refused('ZD063', owner.pool.query(`select docket.activate_rule_set(999, 'Why')`));
});

test('SQL and TypeScript know the same validators', async () => {
  for (const validator of Object.keys(VALIDATORS)) {
    const { rows } = await db.query('select * from docket.wrong_rules($1)', [
      JSON.stringify([{ ...RULES[0], validator }]),
    ]);
    assert.deepEqual(rows, [], validator);
  }
});

test('a rule that is no regular expression redacts nothing, and its set can never become active', async () => {
  const broken = await stageRules('test-broken', [{ ...RULES[0], pattern: '(' }]);
  await redactAll();
  assert.equal((await counts(broken))['redacted'], 0);
  await refused('ZD062', owner.pool.query('select docket.activate_rule_set($1, $2)', [broken, 'Try']));
});
