import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('a message that would shut the task runners down, which any login can send, disturbs nothing', async () => {
  const engine = createNullEngine();
  let go: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (go = resolve));
  const signals: AbortSignal[] = [];
  const worker = await fixture.startWorker({
    ...engine,
    async recognise(file, options) {
      signals.push(options.signal);
      await told;
      return engine.recognise(file, options);
    },
  });
  const lease = worker.leaseId;
  const [job] = await fixture.deliver(await fixture.put('slow'));
  await eventually('it is being recognised', () => signals.length === 1);

  await fixture.db.query(`notify "worker:migrate", '{"breaking":true}'`);
  await fixture.db.query(`notify "jobs:insert", 'not JSON'`);
  await delay(1_000);
  assert.equal(signals[0]!.aborted, false);
  const [other] = await fixture.deliver(await fixture.put('delivered after it'));
  await eventually('the next one is being recognised', () => signals.length === 2);
  go();
  await eventually('both are published', async () =>
    (await fixture.states([job!, other!])).every((state) => state === 'published'),
  );
  assert.equal(worker.leaseId, lease);
  assert.equal(process.exitCode, undefined);
});
