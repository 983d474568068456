import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/** So much more than the reserve must be free before it counts as free again, so that it does not change at every look. */
const RELIEF = 1.25;

/**
 * Whether the memory that is free, on this host and in the control groups of this process, is less than a reserve. Where the
 * system does not say, none is ever short; nor is it where the reserve is 0.
 */
export function createMemoryPressure(options: {
  reserveMb: number;
  /** The folder that holds `proc` and `sys`. */
  root?: string;
}): () => Promise<boolean> {
  const { reserveMb, root = '/' } = options;
  let isShort = false;
  return async () => {
    if (reserveMb === 0) return false;
    const free = await freeMemory(root);
    isShort = free < reserveMb * MEBIBYTE * (isShort ? RELIEF : 1);
    return isShort;
  };
}

/** Bytes that may yet be used: the least of what the host and each limit over this process leave. */
async function freeMemory(root: string): Promise<number> {
  const [meminfo, group] = await Promise.all([
    textOf(join(root, 'proc/meminfo')),
    textOf(join(root, 'proc/self/cgroup')),
  ]);
  const available = /^MemAvailable: *(\d+) kB$/m.exec(meminfo)?.[1];
  const free = [available === undefined ? Infinity : Number(available) * 1024];
  const path = /^0::\/(.*)$/m.exec(group)?.[1];
  const groups = join(root, 'sys/fs/cgroup');
  if (path !== undefined) {
    for (let at = join(groups, path); at.startsWith(groups); at = dirname(at)) free.push(await leftIn(at));
  }
  return Math.min(...free);
}

/** What the limit of a control group (version 2) leaves; file contents that nobody uses are given up when memory is asked for. */
async function leftIn(group: string): Promise<number> {
  const limit = Number.parseInt(await textOf(join(group, 'memory.max')), 10);
  if (Number.isNaN(limit)) return Infinity;
  const [current, stat] = await Promise.all([
    textOf(join(group, 'memory.current')),
    textOf(join(group, 'memory.stat')),
  ]);
  const idleFiles = /^inactive_file (\d+)$/m.exec(stat)?.[1] ?? '0';
  return limit - Number.parseInt(current, 10) + Number(idleFiles);
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
