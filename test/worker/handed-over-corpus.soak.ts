import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLog, verifyResults } from '../../src/db/commands.ts';
import { createTesseractEngine } from '../../src/ocr/tesseract-engine.ts';
import { OUTCOMES } from '../ocr/corpus-outcomes.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const CORPUS = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';
const WITHIN_MS = 20 * 60_000;

/** Codes by which a document that was read may still be refused. */
const JUDGED = { WARNED: 'DECODER_WARNING', MISMATCH: 'PAGE_COUNT_MISMATCH' } as Record<string, string>;

/** Failures that may pass; here the first is the last, so that the test ends. */
const PASSING = ['OCR_TIMEOUT', 'OCR_OUT_OF_MEMORY', 'OCR_CRASHED'];

function corpusFiles(): string[] {
  return readFileSync(join(CORPUS, 'INDEX.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter((path) => /^(real-scans|hostile)\//.test(path) && !path.endsWith('.txt'));
}

test(
  'every scan and hostile file of the handed-over corpus ends published or quarantined for the expected reason, and the worker lives',
  {
    skip: existsSync(join(CORPUS, 'INDEX.tsv')) ? false : `there is no corpus at ${CORPUS}`,
    timeout: WITHIN_MS,
  },
  async (t) => {
    const { db, store, config, log, deliver, startWorker } = await createFixture();
    await db.query('update docket.failure_codes set max_tries = 1 where code = any ($1)', [PASSING]);
    await db.query(`update docket.tasks set deadline = '90 s' where task = 'ocr'`);
    const engine = createTesseractEngine({
      log,
      children: 2,
      memoryLimitMb: config.ocrMemoryMb,
      limits: { maxPages: config.maxPages, maxPixels: config.maxPixels },
    });
    t.after(() => engine.close());

    const files = new Map<string, string>();
    for (const path of corpusFiles()) {
      const [job] = await deliver(await store.put(createReadStream(join(CORPUS, path))));
      // Files of the same bytes are one document; the first name stands for it.
      if (job !== undefined && !files.has(job)) files.set(job, path);
    }
    const worker = await startWorker(engine);
    const first = worker.leaseId;
    await eventually(
      'every document has ended',
      async () => {
        const { rows } = await db.query<{ open: string }>(
          `select count(*) as open from docket.jobs where state not in ('published', 'quarantined')`,
        );
        return rows[0]?.open === '0';
      },
      { withinMs: WITHIN_MS, everyMs: 1_000 },
    );

    const { rows } = await db.query<{ job_id: string; state: string; first_code: string | null }>(
      'select job_id, state, first_code from docket.jobs',
    );
    assert.equal(rows.length, files.size);
    const surprises = rows
      .map((row) => ({ ...row, path: files.get(row.job_id) ?? '' }))
      .filter(({ path, state, first_code }) => !isExpected(path, state, first_code))
      .map(({ path, state, first_code }) => `${path}: ${state} ${first_code ?? ''}`);
    assert.deepEqual(surprises, []);
    for (const state of ['published', 'quarantined']) {
      t.diagnostic(`${rows.filter((row) => row.state === state).length} ${state}`);
    }

    assert.equal(worker.leaseId, first, 'the worker lived through it all');
    const checks = [...(await verifyLog(db)), ...(await verifyResults(db))];
    assert.deepEqual(
      checks.filter((check) => check.failed_count !== '0'),
      [],
    );
  },
);

/** What was read is published, or refused by a gate: a blank page, a photograph, a script that the model does not know. */
function isExpected(path: string, state: string, code: string | null): boolean {
  const expected = OUTCOMES[path]?.code;
  if (expected === undefined) return state === 'published' || code === 'VALIDATION_REJECTED';
  return state === 'quarantined' && code === (JUDGED[expected] ?? expected);
}
