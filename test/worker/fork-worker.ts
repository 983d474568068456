import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessOptions } from './worker-process.ts';

/** A worker process of a test. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Resolves when it no longer dies of SIGTERM, but stops in order. */
  readonly listening: Promise<string>;
  /** Resolves with its first lease when it is at work; never, if it dies before. */
  readonly lease: Promise<string>;
  /** Resolves with the file it was given, each time anew, when the engine is next asked to recognise. */
  recognising(): Promise<string>;
  /** Resolves with the file, when it is next told to stop recognising one. */
  aborted(): Promise<string>;
  /** The places of the awaits that it has passed so far, in the order in which it first passed them, if it was asked to tell. */
  readonly awaited: readonly string[];
  /** Lets an engine that waits go on. */
  goOn(): void;
  /** Resolves with exit code and signal, also if it is dead already. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts one, which is the caller's to end; `within` are the words of a command that runs another. */
export function forkWorker(options: ProcessOptions, within: readonly string[] = []): WorkerProcess {
  const [execPath, execArgv] =
    within[0] === undefined ? [process.execPath] : [within[0], [...within.slice(1), process.execPath]];
  const child = fork(join(import.meta.dirname, 'worker-process.ts'), [JSON.stringify(options)], {
    ...{ execPath, execArgv },
    // Compiling all modules anew takes longer than all that a worker of a test does before it is killed.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'docket-test-compiled') },
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // One listener for all: messages may come faster than one can wait for each anew.
  const message = (key: string): Promise<string> =>
    new Promise((resolve) => {
      const take = (received: Record<string, string>) => {
        if (received[key] === undefined) return;
        child.off('message', take);
        resolve(received[key]);
      };
      child.on('message', take);
    });
  const awaited: string[] = [];
  child.on('message', (received: Record<string, string>) => {
    if (received['awaited'] !== undefined) awaited.push(received['awaited']);
  });
  return {
    process: child,
    awaited,
    listening: message('listening'),
    lease: message('lease'),
    recognising: () => message('recognising'),
    aborted: () => message('aborted'),
    goOn: () => child.send('go on'),
    exited,
  };
}
