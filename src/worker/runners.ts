import { EventEmitter } from 'node:events';
import { run, WorkerPreset } from 'graphile-worker';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type { Task } from '../attempts/define-task.ts';
import { QueuePool } from '../db/queue-pool.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import hash from '../tasks/hash.ts';
import ocr from '../tasks/ocr.ts';
import publish from '../tasks/publish.ts';
import type { AttemptRunner } from './attempt-runner.ts';
import { guardLocalQueues } from './local-queue-guard.ts';
import { createQueueLog } from './queue-log.ts';

/** The runners of one process: they take messages from the queue and hand them to tasks. */
export interface Runners {
  /** Takes no more messages; resolves when those taken are dealt with. Never rejects. */
  stop(): Promise<void>;
  /** Cuts the connections to the queue, so that a runner that does not stop can do no more harm. */
  cut(): void;
}

/**
 * What sort of work shares slots. Messages are fetched ahead in bulk, which costs the database a tenth of fetching each by
 * itself. Those of long tasks are given back after a moment if no slot came free, so that no document waits, locked, behind
 * a busy process while another one is idle.
 */
const POOLS = [
  { name: 'io', tasks: [hash, publish], messagesASlot: 4, keepMs: 5_000 },
  { name: 'cpu', tasks: [ocr], messagesASlot: 1, keepMs: 250 },
];

export const POOL_NAMES = POOLS.map((pool) => pool.name);

/**
 * Starts the runners. `bind` is given the id of each pool before that pool can lock a row.
 * Rejects if the queue cannot be reached, or its schema is of another version.
 */
export async function startRunners(options: {
  url: string;
  slots: Record<string, number>;
  attempts: AttemptRunner;
  bind: (poolIds: string[]) => Promise<void>;
  /** Called when a runner ended without being asked to. */
  onFailure: (error: DocketError) => void;
  log: Log;
}): Promise<Runners> {
  const { url, slots, attempts, bind, onFailure, log } = options;
  const total = Object.values(slots).reduce((sum, count) => sum + count, 0);
  const pool = new QueuePool({ url, name: 'queue', log, max: total + 2 * POOLS.length });

  const poolIds: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  guardLocalQueues(events);
  events.on('pool:create', ({ workerPool }) => {
    poolIds.push(workerPool.id);
    pool.holdUntil(bind([...poolIds]));
  });

  const running: Runner[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    // A runner that ended by itself refuses to be stopped again.
    await Promise.allSettled(running.map((runner) => runner.stop()));
    await Promise.allSettled(running.map((runner) => runner.promise));
  };
  const cut = () => void pool.end().catch(() => undefined);
  try {
    for (const { name, tasks, messagesASlot, keepMs } of POOLS) {
      const concurrency = slots[name] ?? 1;
      running.push(
        await run({
          pgPool: pool,
          events,
          logger: createQueueLog(log, name),
          noHandleSignals: true,
          parsedCronItems: [],
          taskList: Object.fromEntries(tasks.map((task) => [task.name, handler(task, attempts)])),
          preset: {
            extends: [WorkerPreset],
            worker: workerOptions(concurrency, { size: messagesASlot * concurrency, ttl: keepMs }),
          },
        }),
      );
    }
  } catch (error) {
    void stop();
    cut();
    throw error;
  }
  for (const runner of running) {
    const report = (cause?: unknown) => {
      if (!stopping) onFailure(new DocketError('QUEUE_FAILED', 'a runner of the queue ended', { cause }));
    };
    runner.promise.then(() => report(), report);
  }
  return { stop, cut };
}

function handler(task: Task, attempts: AttemptRunner): (payload: unknown) => Promise<void> {
  return (payload) => attempts.run(task, payload);
}

/**
 * The delays of 0 make completions travel together and, unlike the default, be awaited when the runner stops; without
 * them the last ones are left locked.
 */
function workerOptions(
  concurrentJobs: number,
  localQueue: { size: number; ttl: number },
): GraphileConfig.WorkerOptions {
  return {
    concurrentJobs,
    pollInterval: 500,
    localQueue,
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    gracefulShutdownAbortTimeout: 3_600_000,
  };
}
