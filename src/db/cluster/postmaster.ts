import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a server writes into its data folder (postmaster.pid) for as long as it lives, and after a kill. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  /** `starting`, `ready`, `stopping`, `standby`; empty before the server has written it. */
  readonly status: string;
}

/** The postmaster file of `dataDir`; undefined when there is none or it is still incomplete. */
export function readPostmasterFile(dataDir: string): PostmasterFile | undefined {
  const text = readOrUndefined(join(dataDir, 'postmaster.pid'));
  const [pid, , , port, socketDir, , , status] = text?.split('\n') ?? [];
  if (!pid) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    port: Number(port ?? 0),
    socketDir: socketDir ?? '',
    status: status?.trim() ?? '',
  };
}

/**
 * What became of the process that wrote a postmaster file:
 * `serving` it runs on that data folder (or we may not look closer); `defunct` it ended but its parent has not taken
 * note yet, so the number is still in use; `other` the number belongs to an unrelated process now; `gone`.
 */
export type PostmasterState = 'serving' | 'defunct' | 'other' | 'gone';

/** The state of process `pid` as postmaster of `dataDir` (symbolic links resolved). */
export function postmasterState(pid: number, dataDir: string): PostmasterState {
  if (!processExists(pid)) return 'gone';
  return process.platform === 'linux' ? stateFromProc(pid, dataDir) : stateFromPs(pid, dataDir);
}

/** Whether a process has this number, whoever owns it. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function stateFromProc(pid: number, dataDir: string): PostmasterState {
  const stat = readOrUndefined(`/proc/${String(pid)}/stat`);
  if (stat === undefined) return 'gone';
  // The program's name stands in parentheses and may hold any character; the state follows the last one.
  if (/^\) [ZX]/.test(stat.slice(stat.lastIndexOf(')')))) return 'defunct';
  try {
    if (statSync(`/proc/${String(pid)}`).uid !== statSync(dataDir).uid) return 'other';
    return worksIn(pid, dataDir) ? 'serving' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'serving';
  }
}

/**
 * Whether a process has `folder` as its working folder, as every process of a server has its data folder; compared by
 * identity, as a folder can have several paths. Linux only. @throws ENOENT, EACCES like any file access.
 */
export function worksIn(pid: number, folder: string): boolean {
  const [its, ours] = [statSync(`/proc/${String(pid)}/cwd`), statSync(folder)];
  return its.dev === ours.dev && its.ino === ours.ino;
}

function stateFromPs(pid: number, dataDir: string): PostmasterState {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (line.startsWith('Z')) return 'defunct';
    return line.includes(dataDir) ? 'serving' : 'other';
  } catch {
    return 'gone';
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
