import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Serializable } from 'node:child_process';
import type { Confinement } from './confinement.ts';

const WATCH_EVERY_MS = 200;
const KEPT_OUTPUT = 4_000;

/** What is set for the child, and all of it: nothing of the parent's environment is passed on. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', LANG: 'C.UTF-8' };

/** How a child ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isOutOfMemory: boolean;
  /** Why it could not be started, if that was it. */
  readonly notStarted: Error | undefined;
  /** The last that it or its libraries wrote. */
  readonly output: string;
}

/** A Node process that handles hostile files: told and answering over the IPC channel, and ended by its parent at will. */
export interface ConfinedChild {
  readonly pid: number | undefined;
  readonly ended: Promise<ChildEnd>;
  send(message: Serializable): void;
  /** Ends the child when it holds more resident memory than it may; until the answer is called. */
  watchMemory(onOver: (residentMb: number) => void): () => void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

export function startConfinedChild(options: {
  /** Its main file. */
  readonly main: string;
  /** What follows it on the command line, which everybody on the machine can read. */
  readonly args?: readonly string[];
  readonly confinement: Confinement;
  readonly memoryLimitMb: number;
  readonly onMessage: (message: unknown) => void;
}): ConfinedChild {
  const { command, nodeOptions } = options.confinement;
  const line = [...command, process.execPath, ...nodeOptions, options.main, ...(options.args ?? [])];
  const child = spawn(line[0] ?? process.execPath, line.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: ENVIRONMENT,
  });
  let output = '';
  let isOverLimit = false;
  let isRunning = true;
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('message', options.onMessage);

  const ended = new Promise<ChildEnd>((resolve) => {
    const end = (exitCode: number | null, signal: NodeJS.Signals | null, notStarted?: Error): void => {
      isRunning = false;
      const isOutOfMemory = isOverLimit || /out of memory|bad_alloc|Allocation failed/i.test(output);
      resolve({ exitCode, signal, isOutOfMemory, notStarted, output });
    };
    child.on('error', (error) => end(null, null, error));
    child.on('close', (exitCode, signal) => end(exitCode, signal));
  });

  /** Resident memory is what the machine runs out of; the limit on address space is only a net below this one. */
  async function look(onOver: (residentMb: number) => void): Promise<void> {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const residentMb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    if (residentMb <= options.memoryLimitMb || !isRunning) return;
    isOverLimit = true;
    onOver(Math.round(residentMb));
    child.kill('SIGKILL');
  }

  return {
    pid: child.pid,
    ended,
    send: (message) => void child.send(message),
    watchMemory(onOver) {
      const timer = setInterval(() => void look(onOver), WATCH_EVERY_MS);
      return () => clearInterval(timer);
    },
    kill() {
      if (isRunning) child.kill('SIGKILL');
    },
  };
}
