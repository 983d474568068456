import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { WorkerEvents } from 'graphile-worker';
import { Logger, run, WorkerPreset } from 'graphile-worker';
import type pg from 'pg';
import { QueuePool } from '../../src/db/queue-pool.ts';
import { createLog } from '../../src/log.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const database = await createTestDatabase();
const log = createLog({ level: 'silent' });

test('a runner that is stopped before its LISTEN is answered, and loses the connection then, brings nothing down', async () => {
  const queue = new QueuePool({ url: database.url('docket_queue'), name: 'queue', log, max: 5 });
  const events: WorkerEvents = new EventEmitter();
  const listening: Socket[] = [];
  let released = 0;
  events.on('pool:listen:success', ({ client }) => {
    const { stream } = (client as unknown as pg.Client & { connection: { stream: Socket } }).connection;
    stream.pause();
    listening.push(stream);
  });
  events.on('pool:listen:release', () => (released += 1));
  const runner = await run({
    pgPool: queue,
    events,
    logger: new Logger(() => () => undefined),
    noHandleSignals: true,
    parsedCronItems: [],
    taskList: { hash: () => undefined },
    preset: { extends: [WorkerPreset], worker: { concurrentJobs: 1 } },
  });
  await eventually('it asks to listen', () => listening.length === 1);
  const stopped = runner.stop();
  await eventually('it gives the connection back', () => released === 1);
  listening[0]!.destroy();
  await stopped;
  await eventually('it gives the connection back once more', () => released === 2);
  await queue.end();
});
