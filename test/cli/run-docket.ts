import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'src/cli/main.ts');

/** How one command line ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that goes on. */
export interface Running {
  readonly child: ChildProcess;
  /** Its first line on standard output, parsed. */
  readonly first: Record<string, unknown>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<number | null>;
}

/** A data folder in which command lines run as real processes, with nothing of our own settings. */
export class CliHome {
  readonly folder: string;
  readonly #settings: Record<string, string>;
  readonly #running: ChildProcess[] = [];

  private constructor(folder: string, settings: Record<string, string>) {
    this.folder = folder;
    this.#settings = settings;
  }

  /** The settings hold for every command line of this folder. */
  static async make(settings: Record<string, string> = {}): Promise<CliHome> {
    const folder = await mkdtemp(join(tmpdir(), 'docket-cli-'));
    // As root the server runs as another user, who has to get to its data folder.
    await chmod(folder, 0o711);
    return new CliHome(folder, settings);
  }

  /** Where the scan `name` of the corpus lies. */
  static corpus(name: string): string {
    return join(ROOT, 'corpus/documents', name);
  }

  spawn(args: readonly string[], settings: Record<string, string> = {}): ChildProcess {
    const env = {
      PATH: process.env['PATH'],
      // Halves the time that each of these many processes takes to start.
      NODE_COMPILE_CACHE: join(ROOT, '.cache/node'),
      DOCKET_DATA_DIR: join(this.folder, 'data'),
      // Several stacks run beside each other.
      DOCKET_HTTP_PORT: '0',
      ...this.#settings,
      ...settings,
    };
    const child = spawn(process.execPath, [MAIN, ...args], { env, cwd: this.folder, stdio: 'pipe' });
    this.#running.push(child);
    return child;
  }

  /** Runs a command line to its end. */
  async docket(args: readonly string[], settings?: Record<string, string>): Promise<Ended> {
    const child = this.spawn(args, settings);
    const output = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output };
  }

  /** Runs a command line with --json; its standard output must be one JSON document and nothing else. */
  async json<Document>(
    args: readonly string[],
    code = 0,
    settings?: Record<string, string>,
  ): Promise<Document> {
    const ended = await this.docket([...args, '--json'], settings);
    assert.equal(ended.code, code, `${args.join(' ')}\n${ended.stdout}${ended.stderr}`);
    assert.match(ended.stdout, /^\{.*\}\n$/, 'one line of JSON');
    return JSON.parse(ended.stdout) as Document;
  }

  /** Starts a long-lived command line and waits for its answer. */
  async start(args: readonly string[], settings?: Record<string, string>): Promise<Running> {
    const child = this.spawn([...args, '--json'], settings);
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const lines = createInterface({ input: child.stdout! });
    const ended = once(child, 'close').then(() => {
      throw new Error(`${args.join(' ')} ended too early:\n${log}`);
    });
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    ended.catch(() => undefined);
    return {
      child,
      first: JSON.parse(line) as Record<string, unknown>,
      async stop() {
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        const [code] = (await closed) as [number | null];
        return code;
      },
    };
  }

  /** Ends what still runs, gently, as a server must not be left behind, and removes the folder. */
  async remove(): Promise<void> {
    const open = this.#running.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(
      open.map(async (child) => {
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
      }),
    );
    await rm(this.folder, { recursive: true, force: true });
  }
}
