import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ProcessOptions } from './worker-process.ts';

/** A worker process of a test; killed when the tests of the file are over, if it still lives. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Resolves with its first lease when it is at work; never, if it dies before. */
  readonly lease: Promise<string>;
  /** Resolves with the file it was given, each time anew, when the engine is next asked to recognise. */
  recognising(): Promise<string>;
  /** Lets an engine that waits go on. */
  goOn(): void;
  /** Resolves with exit code and signal, also if it is dead already. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function spawnWorker(options: ProcessOptions): WorkerProcess {
  const child = fork(join(import.meta.dirname, 'worker-process.ts'), [JSON.stringify(options)]);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const message = async (key: string): Promise<string> => {
    for (;;) {
      const [received] = (await once(child, 'message')) as [Record<string, string>];
      if (received[key] !== undefined) return received[key];
    }
  };
  return {
    process: child,
    lease: message('lease'),
    recognising: () => message('recognising'),
    goOn: () => child.send('go on'),
    exited,
  };
}
