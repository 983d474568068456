import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { compileRules } from '../../src/domain/redaction/rules.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { OcrEngine, RecognisedPage } from '../../src/ocr/engine.ts';
import { createRedactor } from '../../src/redaction/redactor.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

/** An engine that reads the same text on so many pages of every document. */
function engineReading(text: string, pageCount: number): OcrEngine {
  const page = (pageNo: number): RecognisedPage => ({
    pageNo,
    width: 1000,
    height: 2000,
    dpi: 200,
    rotation: 0,
    angle: 0,
    verdict: 'text',
    confidence: 90,
    text,
    words: text.split(' ').map((word, i) => [word, 90, i, 0, i + 1, 1]),
  });
  return {
    ...createNullEngine(),
    recognise: () =>
      Promise.resolve({
        pagesDeclared: pageCount,
        pagesDecoded: pageCount,
        warnings: [],
        pages: Array.from({ length: pageCount }, (_, i) => page(i + 1)),
      }),
  };
}

async function shown(job: string): Promise<string[]> {
  const { rows } = await db.query<{ text: string }>(
    'select text from docket_api.pages where document_id = $1 order by page_no',
    [job],
  );
  return rows.map((row) => row.text);
}

async function isPublished(job: string): Promise<boolean> {
  return (await fixture.states([job]))[0] === 'published';
}

test('what a worker publishes is redacted on its way: nothing is left to do when it is published', async () => {
  const worker = await fixture.startWorker(engineReading('Received by Ada Lovelace in good order', 1));
  await eventually('the worker knows the rules', async () => {
    const [job = ''] = await fixture.deliver(await fixture.put(String(Math.random())));
    await eventually('it is published', () => isPublished(job));
    const { rows } = await db.query<{ was_first: boolean }>(
      `select r.redacted_at <= j.state_at as was_first
       from docket.jobs j left join docket.redactions r using (job_id) where j.job_id = $1`,
      [job],
    );
    if (rows[0]?.was_first !== true) return false;
    assert.deepEqual(await shown(job), ['Received by ███ ████████ in good order']);
    return true;
  });
  await worker.stop();
});

test('a long document is redacted page by page after it was stored, and shown once all pages are', async () => {
  const text = Array.from({ length: 600 }, (_, i) => `word${i}`).join(' ');
  const worker = await fixture.startWorker(engineReading(`${text} ada@lovelace.example`, 40));
  const [job = ''] = await fixture.deliver(await fixture.put('long'));
  await eventually('all pages are shown', async () => (await shown(job)).length === 40);
  assert.ok((await shown(job)).every((page) => page.endsWith(`word599 ${'█'.repeat(20)}`)));
  await worker.stop();
});

test('what a worker takes at once is bounded by bytes, whatever a document has', async () => {
  const [set] = await commands.stageRuleSet(db, {
    name: 'bounded',
    meaning: 'For a test.',
    rules: JSON.stringify([{ rule: 'r', reason: 'r', meaning: 'r', pattern: 'zzz' }]),
  });
  const claimed = await commands.claimRedactions(db, { limit: 50, bytes: 60_000 });
  const sizes = claimed.map((row) => row.text.length + JSON.stringify(row.words).length);
  const largest = Math.max(...sizes);
  assert.ok(largest > 10_000, 'the long document is among them');
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 60_000 + 2 * largest);
  assert.ok(set);
  await db.query('update docket.redaction_todo set due_at = clock_timestamp()');
});

test('a worker that is killed while it redacts leaves nothing half done: another goes on', async () => {
  const publisher = await fixture.startWorker(createNullEngine());
  const jobs = await fixture.deliver(
    ...(await Promise.all(Array.from({ length: 120 }, (_, i) => fixture.put(`killed ${i}`)))),
  );
  await eventually(
    'all are published',
    async () => (await fixture.states(jobs)).every((state) => state === 'published'),
    { withinMs: 60_000 },
  );
  await publisher.stop();
  const [set] = await commands.stageRuleSet(db, {
    name: 'after-the-kill',
    meaning: 'For a test.',
    rules: JSON.stringify([{ rule: 'r', reason: 'r', meaning: 'r', pattern: '[0-9a-f]{4}' }]),
  });
  const progress = async () => {
    const { rows } = await db.query<{ published: number; redacted: number; withheld: number }>(
      'select published, redacted, withheld from docket_api.rule_sets where rule_set_id = $1',
      [set!.rule_set_id],
    );
    return rows[0]!;
  };
  const victim = spawnWorker({ config, recogniseMs: 0 });
  await eventually('it has begun', async () => (await progress()).redacted > 0, {
    everyMs: 1,
    withinMs: 60_000,
  });
  victim.process.kill('SIGKILL');
  await victim.exited;
  // what it had taken is due again after a while, which no test waits for
  await db.query('update docket.redaction_todo set due_at = clock_timestamp()');
  const rescuer = await fixture.startWorker(createNullEngine());
  await eventually('all are redacted', async () => (await progress()).withheld === 0, { withinMs: 60_000 });
  const { published, redacted } = await progress();
  assert.equal(redacted, published);
  const { rows } = await db.query(
    `select from docket.redactions r
     where r.rule_set_id = $1 and r.page_count <> (select count(*) from docket.redacted_pages p
       where p.job_id = r.job_id and p.rule_set_id = r.rule_set_id and p.attempt = r.attempt)`,
    [set!.rule_set_id],
  );
  assert.equal(rows.length, 0);
  await rescuer.stop();
});

test('a pattern that runs away is stopped, is left alone after three times, and never shows a page', async () => {
  let nowMs = 0;
  const redactor = createRedactor(fixture.log, { pageWithinMs: 500, now: () => nowMs });
  const rule = { rule: 'r', reason: 'r', documentKind: null, validator: null, region: null };
  const ruleSet = (pattern: string) => ({ id: 1, name: 'x', rules: compileRules([{ ...rule, pattern }]) });
  const page = { width: 1, height: 1, rotation: 0 as const, text: `${'a'.repeat(5_000)}!`, words: [] };
  const of = { ruleSet: ruleSet('(?:a+)+$'), documentKind: 'unknown', jobId: '', pageNo: 1 };
  const took = async () => {
    const startedMs = performance.now();
    assert.equal(await redactor.redact(page, of), undefined);
    return performance.now() - startedMs;
  };
  for (let i = 0; i < 3; i += 1) {
    const ms = await took();
    assert.ok(ms > 495 && ms < 30_000, `it took ${ms} ms`);
  }
  // now without trying
  assert.ok((await took()) < 495);
  // other rules are not affected, and after a while it is tried again
  assert.ok(await redactor.redact(page, { ...of, ruleSet: { ...ruleSet('b'), id: 2 } }));
  nowMs += 61_000;
  assert.ok((await took()) > 45);
});
