import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

/** Adds an OCR configuration, by which the engine reads the same text; the results differ by what they were read with. */
async function addVersion(): Promise<number> {
  const [row] = await commands.addOcrVersion(db, {
    engine: null,
    parameters: '{}',
    pins: '{}',
    gates: '{}',
    reason: 'a test',
  });
  return row!.ocr_version;
}

async function haveEnded(): Promise<boolean> {
  const { rowCount } = await db.query('select from docket.rereadings where ended_at is null');
  return rowCount === 0;
}

test('a worker that is killed while it reads again leaves the document to the next one, and it is superseded once', async () => {
  const first = spawnWorker({ config, recogniseMs: 0 });
  const objects = await Promise.all(['one', 'two', 'three'].map((content) => fixture.put(content)));
  const jobs = await fixture.deliver(...objects);
  await eventually('they are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  first.process.kill('SIGKILL');
  await first.exited;

  const points = [
    { pattern: 'claim_rereadings', call: 1, when: 'after' },
    { pattern: 'recognise', call: 1, when: 'after' },
    { pattern: 'record_rereadings', call: 2, when: 'before' },
    { pattern: 'record_rereadings', call: 1, when: 'after' },
  ] as const;
  for (const dieAt of points) {
    const version = await addVersion();
    await commands.orderRereadings(db, { jobs, version, reason: 'a test' });
    const victim = spawnWorker({ config, recogniseMs: 0, dieAt });
    assert.equal((await victim.exited).signal, 'SIGKILL', `${dieAt.when} ${dieAt.pattern}`);
    const next = spawnWorker({ config, recogniseMs: 0 });
    await eventually(`the next one has read them after ${dieAt.when} ${dieAt.pattern}`, haveEnded);
    next.process.kill('SIGKILL');
    await next.exited;
  }

  const { rows } = await db.query<{
    outcomes: string[];
    superseded: string[];
    lost: string;
    results: string;
  }>(
    `select array(select distinct outcome from docket.rereadings) as outcomes,
       array(select distinct count(*) from docket_audit.events where event = 'superseded' group by job_id) as superseded,
       (select count(*) from docket.reread_attempts where outcome = 'lost' and code = 'WORKER_LOST') as lost,
       (select count(*) from docket.results) as results`,
  );
  const { lost, ...told } = rows[0]!;
  const all = points.length;
  assert.deepEqual(told, {
    outcomes: ['superseded'],
    superseded: [String(all)],
    results: String(jobs.length * (all + 1)),
  });
  assert.ok(Number(lost) >= all - 1, `${lost} attempts were lost`);
  const wrong = (await commands.verifyAll(db)).filter((row) => row.failed_count !== '0');
  assert.deepEqual(wrong, []);
});

test('two workers read each document once', async () => {
  const objects = await Promise.all(
    ['four', 'five', 'six', 'seven', 'eight', 'nine'].map((content) => fixture.put(content)),
  );
  const jobs = await fixture.deliver(...objects);
  const workers = [spawnWorker({ config, recogniseMs: 20 }), spawnWorker({ config, recogniseMs: 20 })];
  await eventually('they are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  await commands.setPoolLimit(db, { pool: 'audit', perProcess: 2, fleet: null, reason: 'a test' });
  const version = await addVersion();
  await commands.orderRereadings(db, { jobs, version, reason: 'a test' });
  await eventually('they are read again', haveEnded);
  const { rows } = await db.query<{ attempts: number; outcome: string }>(
    `select max(a.attempt) as attempts, r.outcome from docket.rereadings r join docket.reread_attempts a using (rereading_id)
     where r.ocr_version = $1 group by r.rereading_id`,
    [version],
  );
  assert.deepEqual(rows, Array(jobs.length).fill({ attempts: 1, outcome: 'superseded' }));
  for (const worker of workers) worker.process.kill('SIGTERM');
  for (const worker of workers) assert.equal((await worker.exited).code, 0);
});
