import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { refuseSetup } from '../../src/ocr/setup.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

/** Documents read by the OCR configuration that was chosen, seen through a whole worker. */
const fixture = await createFixture();
const { db } = fixture;
const nullEngine = createNullEngine();
/** Configurations by which this host may not read any more. */
const refused = new Set<number>();
const engine: OcrEngine = {
  ...nullEngine,
  configuration(setup) {
    if (setup && refused.has(setup.version))
      throw refuseSetup(setup.version, ['it was made for another host']);
    return nullEngine.configuration(setup);
  },
};
const worker = await fixture.startWorker(engine);

async function addVersion(parameters: object, pins: object = {}): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `insert into docket.ocr_versions (parameters, pins, reason, added_by) values ($1, $2, 'a test', 'tester')
     returning ocr_version as version`,
    [JSON.stringify(parameters), JSON.stringify(pins)],
  );
  return rows[0]!.version;
}

async function choose(
  active: number,
  canary: { version: number; share: number } | null = null,
): Promise<void> {
  await db.query(
    'update docket.ocr_choice set active_version = $1, canary_version = $2, canary_share = $3, activated_at = now()',
    [active, canary?.version ?? null, canary?.share ?? null],
  );
}

async function publish(...contents: string[]): Promise<string[]> {
  const objects = await Promise.all(contents.map((content) => fixture.put(content)));
  const jobs = await fixture.deliver(...objects);
  await eventually('they are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  return jobs;
}

/** By which configuration a document was read, as its attempt, its result and its result's registered text say. */
async function readBy(
  job: string,
): Promise<{ attempt: number; confidence: number; config: unknown; hash: string }> {
  const { rows } = await db.query<{ attempt: number; confidence: number; config: string; hash: string }>(
    `select a.ocr_version as attempt, r.confidence, c.config::text as config, encode(r.config_sha256, 'hex') as hash
     from docket.jobs j
     join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
     join docket.attempts a on a.job_id = r.job_id and a.attempt = r.attempt
     join docket.ocr_configs c on c.config_sha256 = r.config_sha256
     where j.job_id = $1`,
    [job],
  );
  const [row] = rows;
  assert.equal(createHash('sha256').update(row!.config).digest('hex'), row!.hash);
  return { ...row!, config: JSON.parse(row!.config) as unknown };
}

/** How a replay with a new recognition came out, and what was looked at. */
async function reread(job: string): Promise<{ outcome: string; code: string | null; checks: string[] }> {
  const { rows } = await db.query<{ id: number }>(
    `select replay_id as id from docket.replay_documents($1, true, 'a test')`,
    [[job]],
  );
  const found = await eventually('the replay has ended', async () => {
    const { rows: ended } = await db.query<{ outcome: string; code: string | null; checks: string[] }>(
      'select outcome, code, checks from docket.replayed_documents where replay_id = $1',
      [rows[0]!.id],
    );
    return ended[0];
  });
  return found;
}

const sure = await addVersion({ null: { confidence: 95 } });
const doubtful = await addVersion({ null: { confidence: 81 } });

test('a document is read by the configuration that is active when it is begun, and is recorded with it', async () => {
  const [first] = await publish('by the built-in one');
  await choose(sure);
  const [second] = await publish('by another');
  await choose(doubtful);
  const [third] = await publish('by a third');
  const [one, two, three] = [await readBy(first!), await readBy(second!), await readBy(third!)];
  assert.deepEqual([one.attempt, one.confidence, one.config], [1, 100, { engine: 'null', version: 1 }]);
  assert.deepEqual([two.attempt, two.confidence], [sure, 95]);
  assert.deepEqual([three.attempt, three.confidence], [doubtful, 81]);
  assert.equal((two.config as { ocrVersion: number }).ocrVersion, sure);
  assert.equal(new Set([one.hash, two.hash, three.hash]).size, 3);
});

test('a canary reads the documents whose ids are below its share, and the active configuration the others', async () => {
  await choose(1, { version: doubtful, share: 0.4 });
  const jobs = await publish(...Array.from({ length: 12 }, (_, n) => `canary ${n}`));
  const expected = jobs.map((job) => (Number.parseInt(job.slice(0, 8), 16) / 2 ** 32 < 0.4 ? doubtful : 1));
  assert.deepEqual(await Promise.all(jobs.map(async (job) => (await readBy(job)).attempt)), expected);
  assert.equal(new Set(expected).size, 2, 'both have read some');
});

test('where the engine is not the one that is pinned, documents wait for the engine, and are read once it is', async () => {
  await choose(await addVersion({}, { core: 'of another machine' }));
  const [job] = await fixture.deliver(await fixture.put('pinned'));
  const failure = await eventually('an attempt failed', async () => {
    const { rows } = await db.query<{ code: string; message: string }>(
      `select code, message from docket.attempts where job_id = $1 and code is not null`,
      [job],
    );
    return rows[0];
  });
  assert.equal(failure.code, 'OCR_UNAVAILABLE');
  assert.match(failure.message, /its core is pinned to of another machine, and here it is not stated/);
  await choose(1);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
  assert.equal((await readBy(job!)).attempt, 1);
});

test('a configuration of which this release does not know a parameter is refused by the name of that', async () => {
  await choose(await addVersion({ preparation: { sharpen: 3 } }));
  const [job] = await fixture.deliver(await fixture.put('of the future'));
  const failure = await eventually('an attempt failed', async () => {
    const { rows } = await db.query<{ code: string; message: string }>(
      `select code, message from docket.attempts where job_id = $1 and code is not null`,
      [job],
    );
    return rows[0];
  });
  assert.equal(failure.code, 'OCR_UNAVAILABLE');
  assert.match(failure.message, /preparation\.sharpen: there is no such parameter/);
  await choose(1);
  await eventually('it is published', async () => (await fixture.states([job!]))[0] === 'published');
});

test('a replay reads by the configuration of what was published, whichever is active now', async () => {
  await choose(sure);
  const [job] = await publish('to be replayed');
  await choose(doubtful);
  const { outcome, code, checks } = await reread(job!);
  assert.deepEqual([outcome, code, checks.includes('reading')], ['passed', null, true]);
});

test('a replay does not read where the engine may not read by that configuration any more, and checks the rest', async () => {
  const withdrawn = await addVersion({ null: { confidence: 90 } });
  await choose(withdrawn);
  const [job] = await publish('to be replayed elsewhere');
  await choose(1);
  refused.add(withdrawn);
  // What an engine was found to be is known for the life of a worker.
  await worker.stop();
  await fixture.startWorker(engine);
  const { outcome, code, checks } = await reread(job!);
  assert.deepEqual([outcome, code, checks.includes('reading')], ['passed', 'OTHER_CONFIGURATION', false]);
});
