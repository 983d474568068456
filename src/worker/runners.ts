import { EventEmitter } from 'node:events';
import { run, WorkerPreset } from 'graphile-worker';
import type { WorkerEvents } from 'graphile-worker';
import type { LentSlot } from '../attempts/attempt-commands.ts';
import type { Task } from '../attempts/define-task.ts';
import { QueuePool } from '../db/queue-pool.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import hash from '../tasks/hash.ts';
import ocr from '../tasks/ocr.ts';
import publish from '../tasks/publish.ts';
import type { AttemptRunner } from './attempt-runner.ts';
import { CONNECTIONS, RUNNER_POOLS } from './connections.ts';
import { fetchOnlyForIdleSlots, type WaitingSlots } from './local-queues.ts';
import { createQueueLog } from './queue-log.ts';
import { createRunnerPool } from './runner-pool.ts';
import type { SlotPool } from './slot-pool.ts';

/** The runners of one process: they take messages from the queue and hand them to tasks. */
export interface Runners {
  /** The pools of them, each without slots at first. */
  readonly pools: readonly SlotPool[];
  /** A slot for the recognition of a document of any lane, if one is idle or comes free at once. */
  lend(): Promise<LentSlot | undefined>;
  /** Takes no more messages; resolves when those taken are dealt with. Never rejects. */
  stop(): Promise<void>;
  /** Cuts the connections to the queue, so that a runner that does not stop can do no more harm. */
  cut(): void;
}

/**
 * The work of each pool. Messages of reserved lanes bear another name in the queue than their task has, so that some slots can
 * take them alone.
 */
const TASKS: Record<(typeof RUNNER_POOLS)[number], Record<string, Task>> = {
  io: { hash, publish },
  ocr: { ocr_reserved: ocr, ocr },
  ocr_reserved: { ocr_reserved: ocr },
};

/** Makes the runners; `bind` is given the ids of those that there are before any can lock a row under a new one. */
export function createRunners(options: {
  url: string;
  attempts: AttemptRunner;
  bind: (poolIds: string[]) => Promise<void>;
  /** Called when a runner ended without being asked to. */
  onFailure: (error: DocketError) => void;
  log: Log;
}): Runners {
  const { url, attempts, bind, onFailure, log } = options;
  const queue = new QueuePool({ url, name: 'queue', log, max: RUNNER_POOLS.length * CONNECTIONS.ofRunners });

  const poolIds = new Set<string>();
  /** What is listened to in one runner. */
  function listen(onWaiting: () => void): { events: WorkerEvents; waiting: WaitingSlots } {
    const events: WorkerEvents = new EventEmitter();
    const waiting = fetchOnlyForIdleSlots(events, onWaiting);
    // The library asks for the first in line, and is given them in any order.
    events.on('localQueue:getJobs:complete', ({ jobs }) =>
      jobs.sort((a, b) => a.priority - b.priority || Number(a.id) - Number(b.id)),
    );
    events.on('pool:create', ({ workerPool }) => {
      poolIds.add(workerPool.id);
      queue.holdUntil(bind([...poolIds]));
    });
    events.on('pool:release', ({ workerPool }) => poolIds.delete(workerPool.id));
    return { events, waiting };
  }

  const pools = RUNNER_POOLS.map((name) =>
    createRunnerPool({
      name,
      onFailure: (cause) =>
        onFailure(new DocketError('QUEUE_FAILED', 'a runner of the queue ended', { cause })),
      start(slots, counted, onWaiting) {
        queue.allow(connections());
        const { events, waiting } = listen(onWaiting);
        const starting = run({
          pgPool: queue,
          events,
          logger: createQueueLog(log, name),
          noHandleSignals: true,
          parsedCronItems: [],
          taskList: Object.fromEntries(
            Object.entries(TASKS[name]).map(([message, task]) => [
              message,
              (payload: unknown) => counted(() => attempts.run(task, payload, name)),
            ]),
          ),
          preset: {
            extends: [WorkerPreset],
            worker: workerOptions(slots),
          },
        });
        return { starting, waiting };
      },
    }),
  );
  const connections = () => pools.reduce((sum, pool) => sum + pool.open() + CONNECTIONS.ofRunners, 0);
  return {
    pools,
    lend: async () => pools.find((pool) => pool.name === 'ocr')?.lend(),
    async stop() {
      await Promise.all(pools.map((pool) => pool.stop()));
    },
    cut: () => void queue.end().catch(() => undefined),
  };
}

/**
 * The delays of 0 make completions travel together and, unlike the default, be awaited when the runner stops; without
 * them the last ones are left locked.
 */
function workerOptions(concurrentJobs: number): GraphileConfig.WorkerOptions {
  return {
    concurrentJobs,
    pollInterval: 500,
    localQueue: { size: concurrentJobs },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    gracefulShutdownAbortTimeout: 3_600_000,
  };
}
