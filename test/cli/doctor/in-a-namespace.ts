import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const NAMESPACE = ['--user', '--map-root-user', '--mount'];

/** False where a test may make a namespace of its own; else why it is skipped. */
export const skipWithoutNamespaces: string | false =
  spawnSync('unshare', [...NAMESPACE, 'true']).status === 0
    ? false
    : 'this system lets no user make a namespace (unshare --user --mount)';

/** Runs a program of this folder in a namespace, after a script that changes something there; answers what it prints. */
export function inNamespace(script: string, program: string, args: readonly string[] = []): unknown {
  const main = join(import.meta.dirname, program);
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [...NAMESPACE, 'sh', '-ec', `${script}\nexec "$@"`, 'sh', process.execPath, main, ...args],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the namespace ended with ${String(status)}: ${stderr}`);
  return JSON.parse(stdout);
}
