// The resident memory of a process and of all that it started, looked at again and again.
import { readdir, readFile } from 'node:fs/promises';

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
  const all = await processes();
  const own = all.get(pid);
  if (own === undefined) return undefined;
  const started = [...all].filter(([one]) => one !== pid && isBelow(all, one, pid));
  return {
    parentMb: own.residentMb,
    childMb: Math.max(0, ...started.map(([, { residentMb }]) => residentMb)),
  };
}

function isBelow(all: ReadonlyMap<number, { parent: number }>, pid: number, ancestor: number): boolean {
  const parent = all.get(pid)?.parent;
  return parent !== undefined && (parent === ancestor || isBelow(all, parent, ancestor));
}

async function processes(): Promise<Map<number, { parent: number; residentMb: number }>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const number = (field: string) =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return [Number(pid), { parent: number('PPid'), residentMb: (number('VmRSS') * 1_024) / 1e6 }] as const;
    }),
  );
  return new Map(found);
}
