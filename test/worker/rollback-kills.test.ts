import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { forkWorker } from './fork-worker.ts';
import { openOwnServer } from './own-server.ts';
import type { Ask } from './rollback-kills.ts';
import { HeldRollback, STEPS } from './rollback-kills.ts';

const fixture = await createFixture();
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

test('a worker that is killed in the middle of a step, or right after it, is followed by another that takes the rollback to its end', async () => {
  const ask = (async (text, values) => (await fixture.db.query(text, values)).rows as never) as Ask;
  const rollback = await HeldRollback.prepare(ask);
  const jobs: string[] = [];
  let worker = forkWorker({ config, recogniseMs: 20 });
  await worker.lease;
  try {
    for (const isCut of [true, false]) {
      for (const step of STEPS) {
        jobs.push(...(await fixture.deliver(await fixture.put(`${step} ${String(isCut)}`))));
        await rollback.begin(step);
        const pid = await rollback.held();
        worker.process.kill('SIGKILL');
        await worker.exited;
        const before = STEPS.slice(0, STEPS.indexOf(step));
        if (isCut) await ask('select pg_terminate_backend($1)', [pid]);
        else await rollback.letGo();
        await eventually('the server has seen it', async () => {
          const rows = await ask('select from pg_stat_activity where pid = $1', [pid]);
          return rows.length === 0;
        });
        const { done } = await rollback.progress();
        assert.deepEqual(done, isCut ? before : [...before, step]);
        await rollback.letGo();
        worker = forkWorker({ config, recogniseMs: 20 });
        await rollback.ends();
      }
    }
    await eventually('all that was delivered meanwhile is published', async () =>
      (await fixture.states(jobs)).every((state) => state === 'published'),
    );
  } finally {
    worker.process.kill('SIGKILL');
    await worker.exited;
  }
});

test('a server that is killed in the middle of a step has undone it, and the worker takes the rollback to its end', async () => {
  const server = await openOwnServer();
  try {
    const worker = await startWorker({
      ...{ config: server.config, keyring: await openKeyring(server.config), store: createMemoryStore() },
      ...{ engine: createNullEngine(), log: server.log },
    });
    try {
      const rollback = await HeldRollback.prepare(server.ask);
      for (const step of STEPS) {
        await rollback.begin(step);
        await rollback.held();
        await server.kill();
        await server.cluster.ensureRunning();
        const { step: next, done } = await rollback.progress();
        assert.deepEqual([next, done], [step, STEPS.slice(0, STEPS.indexOf(step))]);
        await rollback.letGo();
        await rollback.ends();
      }
    } finally {
      await worker.stop();
    }
  } finally {
    await server.close();
  }
});
