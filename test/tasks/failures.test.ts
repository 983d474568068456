import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from '../worker/fixture.ts';

/** What the database makes of each failure of a task, seen through a whole worker. */
const fixture = await createFixture();
const nullEngine = createNullEngine();

/** How recognition of a scan behaves, by its hash, where it does not just succeed. */
const behaviours = new Map<string, OcrEngine['recognise']>();
const engine: OcrEngine = {
  ...nullEngine,
  async recognise(file, options) {
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    const behave = behaviours.get(sha256) ?? ((given, how) => nullEngine.recognise(given, how));
    return behave(file, options);
  },
};
const worker = await fixture.startWorker(engine);

/** Delivers a scan whose recognition behaves so, and returns its first ended attempt at ocr. */
async function recognised(name: string, behave: OcrEngine['recognise']): Promise<Ended> {
  const object = await fixture.put(name);
  behaviours.set(object.sha256.toString('hex'), behave);
  const [job] = await fixture.deliver(object);
  return ended(job!, 'ocr');
}

interface Ended {
  job: string;
  outcome: string;
  code: string | null;
  message: string | null;
  state: string;
}

async function ended(job: string, task: string): Promise<Ended> {
  return eventually('the attempt ended', async () => {
    const { rows } = await fixture.db.query<Ended>(
      `select j.job_id as job, a.outcome, a.code, a.message, j.state from docket.attempts a join docket.jobs j using (job_id)
       where a.job_id = $1 and a.task = $2 and a.ended_at is not null order by a.attempt limit 1`,
      [job, task],
    );
    return rows[0];
  });
}

test('an absent object is looked for again later, with its code on record', async () => {
  await fixture.put('the store is there');
  const sha256 = randomBytes(32);
  const [job] = await fixture.deliver({ sha256, locator: 'file:not/there', version: null, sizeBytes: 10 });
  const attempt = await ended(job!, 'hash');
  assert.deepEqual([attempt.code, attempt.state], ['OBJECT_NOT_FOUND', 'accepted']);
  const { rows } = await fixture.db.query<{ waits: boolean }>(
    'select due_at > clock_timestamp() as waits from docket.jobs where job_id = $1 and due_at is not null',
    [job],
  );
  assert.equal(rows.length, 1);
});

test('bytes with another hash are quarantined at once', async () => {
  const object = await fixture.put('not what was signed');
  const [job] = await fixture.deliver({ ...object, sha256: randomBytes(32) });
  const attempt = await ended(job!, 'hash');
  assert.deepEqual([attempt.code, attempt.state], ['HASH_MISMATCH', 'quarantined']);
});

test('a wrong locator first and a right one later make one published job, of the right delivery', async () => {
  const object = await fixture.put('twice delivered');
  const [job, again] = await fixture.deliver({ ...object, locator: 'file:wrong' }, object);
  assert.equal(job, again);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  const { rows } = await fixture.db.query<{ locator: string }>(
    'select locator from docket.evidence where job_id = $1',
    [job],
  );
  assert.equal(rows[0]!.locator, object.locator);
});

test('a failure of the engine is recorded under its code; one that no retry helps is quarantined', async () => {
  const attempt = await recognised('locked', () =>
    Promise.reject(new DocketError('ENCRYPTED', 'needs a password')),
  );
  assert.deepEqual(
    [attempt.outcome, attempt.code, attempt.message, attempt.state],
    ['failed', 'ENCRYPTED', 'needs a password', 'quarantined'],
  );
});

test('a failure of the engine that may pass is tried again', async () => {
  const attempt = await recognised('crash', () =>
    Promise.reject(new DocketError('OCR_CRASHED', 'the process died')),
  );
  assert.deepEqual([attempt.outcome, attempt.code, attempt.state], ['failed', 'OCR_CRASHED', 'accepted']);
});

test('an error that nobody foresaw, and one with a code the database does not know, are INTERNAL_ERROR', async () => {
  const unforeseen = await recognised('oops', () => Promise.reject(new TypeError('x is not a function')));
  assert.deepEqual([unforeseen.code, unforeseen.message], ['INTERNAL_ERROR', 'x is not a function']);
  const unknown = await recognised('hm', () => Promise.reject(new DocketError('NO_SUCH_CODE', 'hm')));
  assert.deepEqual([unknown.code, unknown.message], ['INTERNAL_ERROR', 'NO_SUCH_CODE: hm']);
});

test('a result that is not of the documented shape fails its own job, and not the others recorded with it', async () => {
  const malformed = recognised('malformed', () =>
    Promise.resolve({ pagesDeclared: 1, pagesDecoded: 1, warnings: [], pages: 'none' as unknown as [] }),
  ).catch((error: unknown) => error);
  const fine = await fixture.deliver(
    ...(await Promise.all(['a', 'b', 'c'].map((text) => fixture.put(text)))),
  );
  await eventually('the others are published', async () =>
    (await fixture.states(fine)).every((state) => state === 'published'),
  );
  assert.equal(((await malformed) as Ended).code, 'INTERNAL_ERROR');
});

test('an object that changed after it was verified is never recognised', async () => {
  await worker.stop();
  const object = await fixture.put('signed');
  const forged = await fixture.put('forged');
  let reads = 0;
  const fickle: typeof fixture.store = {
    ...fixture.store,
    get(reference, options) {
      if (reference.locator === object.locator) reads += 1;
      return fixture.store.get(reads > 1 ? forged : reference, options);
    },
  };
  const unused: OcrEngine = {
    ...nullEngine,
    recognise: () => Promise.reject(new Error('it was given to the engine')),
  };
  const other = await fixture.startWorker(unused, { store: fickle });
  const [job] = await fixture.deliver(object);
  const attempt = await ended(job!, 'ocr');
  assert.deepEqual([attempt.code, attempt.state], ['HASH_MISMATCH', 'quarantined']);
  await other.stop();
});

test('an object that changed after it was verified is read where another sender keeps the same bytes', async () => {
  const object = await fixture.put('signed by both');
  const forged = await fixture.put('forged again');
  // The newest place comes first, so this one becomes the evidence; from the second time on it holds other bytes.
  const overwritten = { ...object, locator: 'file:to/be/overwritten' };
  let reads = 0;
  const fickle: typeof fixture.store = {
    ...fixture.store,
    get(reference, options) {
      if (reference.locator !== overwritten.locator) return fixture.store.get(reference, options);
      reads += 1;
      return fixture.store.get(reads > 1 ? forged : object, options);
    },
  };
  const [job] = await fixture.deliver(object, overwritten);
  const other = await fixture.startWorker(nullEngine, { store: fickle });
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  assert.equal(reads, 2);
  await other.stop();
});

test('no temporary file outlives its attempt, however that ended', async () => {
  assert.deepEqual(await readdir(join(fixture.config.tempDir)), []);
});
