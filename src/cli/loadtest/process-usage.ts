import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Clock ticks a second, as Linux reports CPU times to programs. */
const TICKS = 100;
const LOOK_EVERY_MS = 500;

/** What a process and all that it started have used. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentMb: number;
  /** Of the process alone. */
  readonly ownMb: number;
  readonly largestChildMb: number;
}

/** Times of all cores of this host together, in milliseconds since it started. */
export interface HostTimes {
  readonly busyMs: number;
  readonly allMs: number;
}

/** Used between two moments; the memory is the most that was seen at one. Parts that the system does not tell are undefined. */
export interface UsedMeanwhile {
  readonly cpuSeconds: number | undefined;
  /** Of the process that was left out of that. */
  readonly apartCpuSeconds: number | undefined;
  readonly hostBusy: number;
  readonly hostCores: number;
  readonly residentMb: number | undefined;
  readonly largestChildMb: number | undefined;
}

/** Watches a process, and all that it starts, until it is told to stop. */
export interface UsageWatch {
  /** Begins to count anew. */
  restart(): Promise<void>;
  /** What was used since. */
  used(): Promise<UsedMeanwhile>;
  stop(): void;
}

/**
 * Watches this process, without `apart` and all below that, which is counted for itself. What those it started had used when they
 * ended is counted with it.
 */
export function watchUsage(apart?: number): UsageWatch {
  let peak: Usage | undefined;
  let before: Usage | undefined;
  let apartBefore: Usage | undefined;
  let hostBefore = hostTimes();
  const look = async () => {
    const usage = await usageOf(process.pid, apart);
    if (usage === undefined) return undefined;
    peak = {
      ...usage,
      residentMb: Math.max(usage.residentMb, peak?.residentMb ?? 0),
      largestChildMb: Math.max(usage.largestChildMb, peak?.largestChildMb ?? 0),
    };
    return usage;
  };
  const usageApart = async () => (apart === undefined ? undefined : usageOf(apart));
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  timer.unref();
  return {
    async restart() {
      peak = undefined;
      hostBefore = hostTimes();
      before = await look();
      apartBefore = await usageApart();
    },
    async used() {
      const now = await look();
      const apartNow = await usageApart();
      const host = hostTimes();
      const elapsedMs = host.allMs - hostBefore.allMs;
      return {
        cpuSeconds: now && before && now.cpuSeconds - before.cpuSeconds,
        apartCpuSeconds: apartNow && apartBefore && apartNow.cpuSeconds - apartBefore.cpuSeconds,
        hostBusy: elapsedMs > 0 ? (host.busyMs - hostBefore.busyMs) / elapsedMs : 0,
        hostCores: cpus().length,
        residentMb: peak?.residentMb,
        largestChildMb: peak?.largestChildMb,
      };
    },
    stop: () => clearInterval(timer),
  };
}

function hostTimes(): HostTimes {
  const times = cpus().map(({ times: { idle, ...busy } }) => {
    const busyMs = Object.values(busy).reduce((sum, ms) => sum + ms, 0);
    return { busyMs, allMs: busyMs + idle };
  });
  return {
    busyMs: times.reduce((sum, one) => sum + one.busyMs, 0),
    allMs: times.reduce((sum, one) => sum + one.allMs, 0),
  };
}

/**
 * What a process and all below it use now, but `without` and all below that; undefined where there is no /proc, or no such process.
 * Memory that several of them have in common counts for each.
 */
export async function usageOf(pid: number, without?: number): Promise<Usage | undefined> {
  const all = await processes();
  const own = all.get(pid);
  if (own === undefined) return undefined;
  if (without !== undefined) all.delete(without);
  const below = [...all.keys()].filter((one) => one !== pid && isBelow(all, one, pid));
  const [ownMb = 0, ...childrenMb] = await Promise.all([pid, ...below].map(residentMb));
  return {
    cpuSeconds: [pid, ...below].reduce((sum, one) => sum + (all.get(one)?.cpuSeconds ?? 0), 0),
    residentMb: childrenMb.reduce((sum, mb) => sum + mb, ownMb),
    ownMb,
    largestChildMb: Math.max(0, ...childrenMb),
  };
}

interface Found {
  readonly parent: number;
  /** Its own, and those of its children that ended. */
  readonly cpuSeconds: number;
}

async function processes(): Promise<Map<number, Found>> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => [pid, await statOf(pid)] as const));
  return new Map(found.filter((one): one is [number, Found] => one[1] !== undefined));
}

async function statOf(pid: number): Promise<Found | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // Fields after the name, which may hold anything: the state, then the parent; times are the twelfth to the fifteenth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(fields[1]),
    cpuSeconds: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS,
  };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

function isBelow(all: ReadonlyMap<number, Found>, pid: number, ancestor: number): boolean {
  const parent = all.get(pid)?.parent;
  return parent !== undefined && (parent === ancestor || isBelow(all, parent, ancestor));
}
