import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { worksIn } from './postmaster.ts';

/**
 * Ends the backends of `dataDir` whose postmaster was killed, and no others. Most notice that by themselves, but one
 * that computes does not until its query ends, and no new server starts before. Returns the numbers of the processes
 * that were told to end; always none where there is no /proc.
 */
export function endOrphans(dataDir: string): number[] {
  const orphans = processNumbers().filter((pid) => isOrphan(pid, dataDir));
  for (const pid of orphans) {
    try {
      // At once and without cleaning up, as the postmaster would do it; the next start recovers.
      process.kill(pid, 'SIGQUIT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return orphans;
}

function processNumbers(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isOrphan(pid: number, dataDir: string): boolean {
  return showsDuty(pid) && belongsTo(pid, dataDir) && !belongsTo(parentOf(pid), dataDir);
}

/** A postmaster shows its command line; what it forks shows its duty. */
function showsDuty(pid: number): boolean {
  return look(() => readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8'))?.startsWith('postgres: ') ?? false;
}

/** Whether the process is one of Postgres on this folder. */
function belongsTo(pid: number, dataDir: string): boolean {
  const program = look(() => readlinkSync(`/proc/${String(pid)}/exe`)) ?? '';
  return basename(program) === 'postgres' && look(() => worksIn(pid, dataDir)) === true;
}

function parentOf(pid: number): number {
  const stat = look(() => readFileSync(`/proc/${String(pid)}/stat`, 'utf8')) ?? '';
  // The program's name stands in parentheses and may hold spaces; state and parent follow it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** A process that ended meanwhile, or that we may not look at, is none of ours. */
function look<T>(at: () => T): T | undefined {
  try {
    return at();
  } catch {
    return undefined;
  }
}
