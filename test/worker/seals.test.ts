import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { startSeals } from '../../src/worker/seals.ts';
import { leaves, recordEvents, seals } from '../sql/log-stage.ts';
import { rootByDefinition } from '../sql/merkle-tree.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();
const { db } = fixture;

test('a worker seals every event of what it publishes, once and in order', async () => {
  const worker = await fixture.startWorker(createNullEngine());
  const objects = await Promise.all(Array.from({ length: 30 }, (_, n) => fixture.put(`sealed ${String(n)}`)));
  const jobs = await fixture.deliver(...objects);
  await eventually('all are published', async () =>
    (await fixture.states(jobs)).every((state) => state === 'published'),
  );
  await eventually('all events are sealed', async () => {
    const { rows } = await db.query('select from docket.seal_status() where unsealed_events = 0');
    return rows.length > 0;
  });
  await worker.stop();
  const hashes = (await leaves(db)).map((leaf) => leaf.hash);
  const last = (await seals(db)).at(-1)!;
  assert.ok(hashes.length >= 4 * jobs.length);
  assert.equal(last.size, String(hashes.length));
  assert.deepEqual(last.root, rootByDefinition(hashes));
});

test('a worker that cannot seal says who is in the way, and by which command they go', async () => {
  const entries: Record<string, unknown>[] = [];
  const write = (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>);
  const client = await db.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_current_xact_id()',
    );
    const pid = String(rows[0]!.pid);
    await recordEvents(db, 2, new Date(Date.now() - 60_000));
    await eventually('no other test is in the way', async () => {
      const { rows: named } = await db.query('select from docket.seal_status() where blocker like $1', [
        `process ${pid} in%`,
      ]);
      return named.length > 0;
    });
    const sealing = startSeals({
      url: fixture.config.workerUrl!,
      log: createLog({ level: 'warn', destination: { write } }),
    });
    await eventually('it is said', () => entries.length > 0);
    await sealing.stop();
    const [entry] = entries;
    assert.equal(entry!['code'], 'SEAL_STALLED');
    assert.match(String(entry!['blocker']), new RegExp(`^process ${pid} in database "test_`));
    assert.equal(entry!['remedy'], `select pg_terminate_backend(${pid})`);
    assert.equal(entry!['unsealed_events'], '2');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
