import { after } from 'node:test';
import type { WorkerProcess } from './fork-worker.ts';
import { forkWorker } from './fork-worker.ts';
import type { ProcessOptions } from './worker-process.ts';

/** A worker process that is killed when the tests of the file are over, if it still lives. */
export function spawnWorker(options: ProcessOptions): WorkerProcess {
  const worker = forkWorker(options);
  after(async () => {
    worker.process.kill('SIGKILL');
    await worker.exited;
  });
  return worker;
}
