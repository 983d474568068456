// Runs the tests: npm test -- [--pg 16|17|18]… [--soak] [--concurrency N] [--grep PATTERN] [FILE]…
// Without arguments: every test file on Postgres 18, then those of test/sql on 16 and 17 too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { PostgresMajor } from '../src/db/cluster/binaries.ts';
import { needsDatabase } from './support/needs-database.ts';
import { runOptions, type RunOptions } from './support/run-options.ts';
import { startTestCluster } from './support/start-test-cluster.ts';
import { clusterEnvironment } from './support/test-cluster.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OLDER: readonly PostgresMajor[] = [16, 17];
const FILE_TIMEOUT_MS = 180_000;
const SOAK_TIMEOUT_MS = 3_600_000;

interface Batch {
  readonly major: PostgresMajor;
  readonly files: readonly string[];
}

function plan(options: RunOptions): Batch[] {
  const find = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort();
  if (options.files.length > 0 || options.majors || options.soak) {
    const all =
      options.files.length > 0 ? options.files.map((file) => relative(ROOT, resolve(file))) : undefined;
    const files = all ?? find(options.soak ? 'test/**/*.soak.ts' : 'test/**/*.test.ts');
    return (options.majors ?? [18]).map((major) => ({ major, files }));
  }
  const sql = find('test/sql/**/*.test.ts');
  return [
    { major: 18, files: find('test/**/*.test.ts') },
    ...OLDER.map((major) => ({ major, files: sql }) as const),
  ];
}

/** Runs the files of a batch and returns whether all tests passed. */
async function run({ major, files }: Batch, options: RunOptions): Promise<boolean> {
  if (files.length === 0) return true;
  const cluster = files.some((file) => needsDatabase(join(ROOT, file)))
    ? await startTestCluster(major)
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
      { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...(cluster && clusterEnvironment(cluster)) } },
    );
    const forward = (signal: NodeJS.Signals) => runner.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    const [code] = (await once(runner, 'exit')) as [number | null];
    process.off('SIGINT', forward).off('SIGTERM', forward);
    return code === 0;
  } finally {
    await cluster?.stop();
  }
}

const options = runOptions(process.argv.slice(2));
const begun = performance.now();
const failed: Batch[] = [];
for (const batch of plan(options)) {
  if (!(await run(batch, options))) failed.push(batch);
}
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(
  failed.length === 0
    ? `\nAll passed in ${seconds} s.`
    : `\nFailed on Postgres ${failed.map((batch) => batch.major).join(', ')} (${seconds} s).`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
