import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A command line in a terminal of its own. */
export interface InTerminal {
  /** All that it wrote until now, with the codes of the terminal. */
  readonly written: () => string;
  /** Presses keys. */
  press(keys: string): void;
  /** Sends a signal to the process itself. */
  signal(name: NodeJS.Signals): void;
  /** Ends it however it stands; for the end of a test. */
  destroy(): void;
  /** Makes the terminal another size. */
  resize(rows: number, columns: number): void;
  /** Its exit code, and whether the settings of the terminal are those from before, once it has ended. */
  ended(): Promise<{ code: number; isAsBefore: boolean }>;
}

/** Whether there is the program that makes terminals (util-linux). */
export function hasScript(): boolean {
  return (
    existsSync('/usr/bin/script') &&
    execFileSync('/usr/bin/script', ['--version']).toString().includes('util-linux')
  );
}

/** Runs docket in a terminal of 40 rows and 120 columns; files about it are written to the folder. */
export async function inTerminal(
  folder: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<InTerminal> {
  const file = (name: string) => join(folder, name);
  const docket = [process.execPath, join(ROOT, 'src/cli/main.ts'), ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  const program = [
    'stty rows 40 cols 120',
    `stty -g > ${file('before')}`,
    `tty > ${file('tty')}`,
    // The shell is replaced by docket, whose process it writes down.
    `sh -c 'echo $$ > ${file('pid')}; exec "$0" "$@"' ${docket}`,
    `echo $? > ${file('code')}`,
    `stty -g > ${file('after')}`,
  ].join('\n');
  const child: ChildProcess = spawn('/usr/bin/script', ['-qec', program, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(ROOT, '.cache/node'),
      TERM: 'xterm-256color',
      ...settings,
    },
    cwd: folder,
    stdio: 'pipe',
  });
  let written = '';
  child.stdout?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const read = (name: string) => readFileSync(file(name), 'utf8').trim();
  await eventually('it is started', () => existsSync(file('pid')) && read('pid') !== '', {
    withinMs: 60_000,
  });
  const closed = once(child, 'close');
  return {
    written: () => written,
    press: (keys) => void child.stdin?.write(keys),
    signal: (name) => void process.kill(Number(read('pid')), name),
    destroy: () => void child.kill('SIGKILL'),
    resize(rows, columns) {
      execFileSync('stty', ['-F', read('tty'), 'rows', String(rows), 'cols', String(columns)]);
    },
    async ended() {
      await closed;
      return { code: Number(read('code')), isAsBefore: read('after') === read('before') };
    },
  };
}
