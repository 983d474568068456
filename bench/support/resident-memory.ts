// The resident memory of a process and of all that it started, looked at again and again.
import { usageOf } from '../../src/cli/loadtest/process-usage.ts';

const EVERY_MS = 200;

/** What was seen at one moment, in MB: the process itself, and the largest of those that it started. */
export interface Look {
  readonly parentMb: number;
  readonly childMb: number;
}

export interface Watch {
  readonly looks: readonly Look[];
  stop(): void;
}

/** Watches a process until it is told to stop; sees nothing where /proc is absent. */
export function watchMemory(pid: number): Watch {
  const looks: Look[] = [];
  const timer = setInterval(() => {
    void lookAt(pid).then((look) => look && looks.push(look));
  }, EVERY_MS);
  return { looks, stop: () => clearInterval(timer) };
}

async function lookAt(pid: number): Promise<Look | undefined> {
  const usage = await usageOf(pid);
  return usage && { parentMb: usage.ownMb, childMb: usage.largestChildMb };
}
