import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rollbackAnswer } from '../../src/cli/rollback/rollback-answer.ts';
import { rollbackStandings } from '../../src/cli/rollback/rollback-standing.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import * as commands from '../../src/db/commands.ts';
import { createTesseractEngine } from '../../src/ocr/tesseract-engine.ts';
import { makeSamplePdf } from '../ocr/sample-pdf.ts';
import { endTrial } from '../sql/rollback-stage.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

// The rehearsal: a deliberately bad OCR configuration is activated under load, and Docket goes back by itself.

const KINDS = ['delivery_receipt', 'packing_list'] as const;
const fixture = await createFixture();
const { db, store, config, log } = fixture;
const [operator, owner, auditor] = await Promise.all([
  fixture.login('docket_operator'),
  fixture.login('docket_evidence_owner'),
  fixture.login('docket_auditor'),
]);

let count = 0;
const jobs: string[] = [];
/** Delivers a page of text of its own; half of the documents go by the fast lane. */
async function deliver(): Promise<void> {
  count += 1;
  const { bytes } = await makeSamplePdf([
    {
      lines: [
        'DELIVERY RECEIPT AND PACKING LIST',
        `Consignment number ${String(100_000 + count)}`,
        'Received in good order and condition,',
        'twelve pallets of machine parts.',
        'Signed for the consignee at the gate.',
      ],
    },
  ]);
  const object = await store.put(Readable.from([Buffer.from(bytes)]));
  jobs.push(...(await fixture.deliver({ ...object, documentKind: KINDS[count % 2]! })));
}

async function numberOf(state: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::int as n from docket.jobs where state = $1',
    [state],
  );
  return rows[0]!.n;
}

/** How each document ended, and the OCR configuration that read what it ended by. */
async function endings(): Promise<
  { job: string; state: string; code: string | null; version: number; published: number }[]
> {
  const { rows } = await db.query<{
    job: string;
    state: string;
    code: string | null;
    version: number;
    published: number;
  }>(
    `select j.job_id as job, j.state, case when j.state = 'quarantined' then j.last_code end as code, a.ocr_version as version,
       (select count(*)::int from docket_audit.events e where e.job_id = j.job_id and e.event = 'published') as published
     from docket.jobs j
     join docket.attempts a on a.job_id = j.job_id and a.attempt = coalesce(j.result_attempt, j.attempt)
     order by j.job_id`,
  );
  return rows;
}

/** Goes on delivering, so that there is always something to read, until the rollback has ended. */
async function deliverUntilOver(): Promise<number> {
  for (let n = 0; n < 20; n += 1) await deliver();
  return eventually(
    'the rollback has begun by itself and ended',
    async () => {
      if ((await numberOf('accepted')) < 4) await deliver();
      const { rows } = await db.query<{ rollback_id: number }>(
        'select rollback_id from docket.rollbacks where ended_at is not null',
      );
      return rows[0]?.rollback_id;
    },
    { withinMs: 120_000, everyMs: 100 },
  );
}

/** What a person reads of it, without what is of this run alone. */
const timeless = (text: string) =>
  [
    ...new Set(
      text
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'JOB')
        .replace(/\d+ of \d+ documents/g, 'N of N documents')
        .replace(/\d+ documents? (is|are|were|that)/g, 'N documents $1')
        .replace(/after \d+ s/g, 'after N s')
        .replace(/ {2,}/g, '  ')
        .trim()
        .split('\n'),
    ),
  ]
    .sort()
    .join('\n');

const engine = createTesseractEngine({
  log,
  children: 2,
  memoryLimitMb: config.ocrMemoryMb,
  limits: { maxPages: config.maxPages, maxPixels: config.maxPixels },
});
after(() => engine.close());

test('a bad OCR configuration is activated under load, and Docket returns to the good one by itself, with nothing lost', async (t) => {
  await fixture.startWorker(engine);
  await deliver();
  await deliver();
  await eventually('the good one reads well', async () => (await numberOf('published')) === 2, {
    withinMs: 120_000,
  });

  // an operator chooses one that sees pages as if from across the street
  const [added] = await commands.addOcrVersion(operator, {
    engine: null,
    parameters: '{"preparation": {"targetDpi": 20, "reduceAboveDpi": 20, "enlargeBelowDpi": 1}}',
    pins: '{}',
    gates: '{}',
    reason: 'it is quicker',
  });
  const bad = added!.ocr_version;
  const { rows: configs } = await db.query<{ config_sha256: Buffer }>(
    'select config_sha256 from docket.ocr_configs',
  );
  assert.equal(configs.length, 1);
  await endTrial(db, bad, configs[0]!.config_sha256);
  await commands.allowAutomaticRollback(operator, { within: '1 hour', reason: 'as agreed' });
  await commands.setSlo(operator, {
    slo: 'quarantined_share',
    value: '{"warning": 0.1, "breach": 0.2, "rollback": 0.3}',
    reason: 'as agreed',
  });
  await commands.activateOcrVersion(operator, { version: bad, reason: 'it is quicker' });
  const id = await deliverUntilOver();
  await eventually(
    'every document has ended',
    async () => (await numberOf('published')) + (await numberOf('quarantined')) === jobs.length,
    { withinMs: 120_000, everyMs: 100 },
  );

  // nothing lost, nothing doubled; what the good one read is published, what the bad one read stands in quarantine and is listed
  const ended = await endings();
  assert.deepEqual(
    ended.map(({ job }) => job),
    [...jobs].sort(),
  );
  for (const { job, state, code, version, published } of ended) {
    const expected = version === 1 ? ['published', null, 1] : ['quarantined', 'VALIDATION_REJECTED', 0];
    assert.deepEqual([state, code, published], expected, job);
    assert.ok(version === 1 || version === bad);
  }
  const quarantined = ended.filter(({ version }) => version === bad).map(({ job }) => job);
  assert.ok(quarantined.length >= 20, 'a share is told of twenty documents or more');
  const { rows: choice } = await db.query(
    'select active_version, known_good_version, rollback_to from docket.ocr_choice',
  );
  assert.deepEqual(choice, [{ active_version: 1, known_good_version: 1, rollback_to: null }]);

  const reader = typedQueries(auditor);
  const [standing] = await rollbackStandings(reader, { rollback: id });
  const answer = await rollbackAnswer(auditor, reader, standing!);
  const { left, quarantined: named } = answer.json as { left: object; quarantined: { job_id: string }[] };
  assert.deepEqual(left, { published: 0, validated: 0, quarantined: quarantined.length });
  assert.ok(named.every((one) => quarantined.includes(one.job_id)));
  t.diagnostic(answer.text);

  // the evidence owner sends some back, and they are read by the good one
  const sentBack = quarantined.slice(0, 2);
  await commands.releaseQuarantined(owner, { jobs: sentBack, reason: 'they were read badly' });
  await eventually(
    'what was sent back is published',
    async () => (await fixture.states(sentBack)).every((state) => state === 'published'),
    { withinMs: 120_000 },
  );
  const { rows: checks } = await auditor.query<{ checked: string; failed_count: string }>(
    'select checked, failed_count from docket.verify_all()',
  );
  assert.deepEqual(
    checks.filter(({ failed_count: failed }) => failed !== '0'),
    [],
  );

  const page = await readFile(join(import.meta.dirname, '../../docs/rollback.md'), 'utf8');
  const [, shown = ''] = /```console\n\$ docket rollback show 1\n(.*?)```/s.exec(page) ?? [];
  assert.equal(timeless(shown), timeless(answer.text));
});
