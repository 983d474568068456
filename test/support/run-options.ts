import { parseArgs } from 'node:util';
import type { PostgresMajor } from '../../src/db/cluster/binaries.ts';

export interface RunOptions {
  /** Test files and folders to run; empty for all. */
  readonly paths: readonly string[];
  /** The servers to run them on; undefined for the usual plan. */
  readonly majors: readonly PostgresMajor[] | undefined;
  /** The long runs instead of the tests. */
  readonly soak: boolean;
  /** Test files that run at the same time. */
  readonly concurrency: number;
  /** Only tests whose name matches this pattern. */
  readonly pattern: string | undefined;
}

/** Reads `[--pg 16|17|18]… [--soak] [--concurrency N] [--grep PATTERN] [FILE|FOLDER]…`. */
export function runOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      pg: { type: 'string', multiple: true },
      soak: { type: 'boolean', default: false },
      concurrency: { type: 'string' },
      grep: { type: 'string' },
    },
  });
  const majors = values.pg?.map((value) => {
    const major = Number(value);
    if (major === 16 || major === 17 || major === 18) return major;
    throw new Error(`--pg takes 16, 17 or 18, not ${value}`);
  });
  return {
    paths: positionals,
    majors,
    soak: values.soak,
    // The long runs measure and kill: two at a time would disturb each other.
    concurrency: Number(values.concurrency ?? (values.soak ? 1 : 2)),
    pattern: values.grep,
  };
}
