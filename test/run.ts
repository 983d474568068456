// Runs the tests: npm test -- [--pg 16|17|18]… [--soak] [--concurrency N] [--grep PATTERN] [FILE|FOLDER]…
// Without arguments: every test file on Postgres 18, then those of test/sql on 16 and 17 too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { PostgresMajor } from '../src/db/cluster/binaries.ts';
import { needsDatabase, needsObjectServer } from './support/needed-servers.ts';
import { objectServerEnvironment } from './support/object-server.ts';
import { runOptions, type RunOptions } from './support/run-options.ts';
import { startObjectServer } from './support/start-object-server.ts';
import { startTestCluster } from './support/start-test-cluster.ts';
import { clusterEnvironment } from './support/test-cluster.ts';

const ROOT = resolve(import.meta.dirname, '..');
const NEWEST: PostgresMajor = 18;
const OLDER: readonly PostgresMajor[] = [16, 17];
const FILE_TIMEOUT_MS = 180_000;
const SOAK_TIMEOUT_MS = 3_600_000;

interface Batch {
  readonly major: PostgresMajor;
  readonly files: readonly string[];
}

/** The test files, or the long runs, that a path names: itself, or all below a folder. */
function filesAt(path: string, ending: string): string[] {
  const found = resolve(ROOT, path);
  if (!existsSync(found)) throw new Error(`there is no ${path}`);
  if (!statSync(found).isDirectory()) return [relative(ROOT, found)];
  return globSync(`${relative(ROOT, found)}/**/*.${ending}.ts`, { cwd: ROOT }).sort();
}

function plan(options: RunOptions): Batch[] {
  const ending = options.soak ? 'soak' : 'test';
  const files = (options.paths.length > 0 ? options.paths : ['test']).flatMap((path) =>
    filesAt(path, ending),
  );
  if (files.length === 0) throw new Error(`there are no files named *.${ending}.ts`);
  if (options.majors) return options.majors.map((major) => ({ major, files }));
  if (options.paths.length > 0 || options.soak) return [{ major: NEWEST, files }];
  const sql = filesAt('test/sql', ending);
  return [{ major: NEWEST, files }, ...OLDER.map((major) => ({ major, files: sql }))];
}

/** Runs the files of a batch and returns whether all tests passed. */
async function run({ major, files }: Batch, options: RunOptions): Promise<boolean> {
  const cluster = files.some((file) => needsDatabase(join(ROOT, file)))
    ? await startTestCluster(major)
    : undefined;
  const objects = files.some((file) => needsObjectServer(join(ROOT, file)))
    ? await startObjectServer()
    : undefined;
  console.log(`\n${String(files.length)} test file(s)${cluster ? ` on Postgres ${String(major)}` : ''}`);
  try {
    const timeout = options.soak ? SOAK_TIMEOUT_MS : FILE_TIMEOUT_MS;
    const runner = spawn(
      process.execPath,
      [
        '--test',
        `--test-concurrency=${String(options.concurrency)}`,
        `--test-timeout=${String(timeout)}`,
        ...(options.pattern === undefined ? [] : [`--test-name-pattern=${options.pattern}`]),
        ...files,
      ],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: {
          ...process.env,
          ...(cluster && clusterEnvironment(cluster)),
          ...(objects && objectServerEnvironment(objects)),
        },
      },
    );
    const forward = (signal: NodeJS.Signals) => runner.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    const [code] = (await once(runner, 'exit')) as [number | null];
    process.off('SIGINT', forward).off('SIGTERM', forward);
    return code === 0;
  } finally {
    await objects?.stop();
    await cluster?.stop();
  }
}

/** What was asked for, or undefined after saying what is wrong with it. */
function asked(args: readonly string[]): { options: RunOptions; batches: Batch[] } | undefined {
  try {
    const options = runOptions(args);
    return { options, batches: plan(options) };
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}

async function main(args: readonly string[]): Promise<number> {
  const todo = asked(args);
  if (!todo) return 2;
  const begun = performance.now();
  const failed: PostgresMajor[] = [];
  for (const batch of todo.batches) {
    if (!(await run(batch, todo.options))) failed.push(batch.major);
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(
    failed.length > 0
      ? `\nFailed on Postgres ${failed.join(', ')} (${seconds} s).`
      : `\nAll passed in ${seconds} s.`,
  );
  return failed.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
