import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** How children are held in: a command line to put before the child's own, and what it is known to achieve. */
export interface Confinement {
  readonly command: readonly string[];
  readonly nodeOptions: readonly string[];
  /** Recorded with the engine's configuration. */
  readonly measures: readonly string[];
}

/** Room beside the resident memory that is watched: code, stacks, and address space that is reserved but not touched. */
const DATA_ALLOWANCE_MB = 1024;

/** What was found out, by the limit on memory. */
const confinements = new Map<number, Confinement>();

/**
 * Finds out what this system offers to confine a child that decodes hostile files: a limit on its memory, an end with its
 * parent, no network. Each is taken where it works and left out where it does not (containers often forbid namespaces).
 * Node's own permission model is always on: no writing, no new processes. The tools are tried once for each limit.
 */
export function findConfinement(memoryLimitMb: number): Confinement {
  const found = confinements.get(memoryLimitMb) ?? tryTools(memoryLimitMb);
  confinements.set(memoryLimitMb, found);
  return found;
}

function tryTools(memoryLimitMb: number): Confinement {
  const command: string[] = [];
  const measures = ['node-permission: no writing, no child processes'];
  const prlimit = findTool('prlimit');
  const limits = [`--data=${(memoryLimitMb + DATA_ALLOWANCE_MB) * 1024 * 1024}`, '--core=0'];
  if (prlimit !== undefined && works([prlimit, ...limits])) {
    command.push(prlimit, ...limits);
    measures.push(`prlimit: ${memoryLimitMb + DATA_ALLOWANCE_MB} MiB of data, no core files`);
  }
  const unshare = findTool('unshare');
  const namespaces = ['--user', '--map-root-user', '--net'];
  if (unshare !== undefined && works([unshare, ...namespaces])) {
    command.push(unshare, ...namespaces);
    measures.push('unshare: no network');
  }
  // Last in the line: the kernel forgets the wish when a process enters another user namespace.
  const setpriv = findTool('setpriv');
  const ending = ['--pdeathsig', 'KILL'];
  if (setpriv !== undefined && works([setpriv, ...ending])) {
    command.push(setpriv, ...ending);
    measures.push('setpriv: ends with its parent');
  }
  return {
    command,
    nodeOptions: ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker', '--no-warnings'],
    measures,
  };
}

/** Absolute, because a child gets no PATH to be found by. */
function findTool(name: string): string | undefined {
  return [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path));
}

function works(command: readonly string[]): boolean {
  const [tool = '', ...options] = command;
  const truth = existsSync('/usr/bin/true') ? '/usr/bin/true' : '/bin/true';
  return spawnSync(tool, [...options, truth], { stdio: 'ignore', env: {}, timeout: 5_000 }).status === 0;
}
