import type { ZodType } from 'zod';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Answer } from './answer.ts';

/** What a verb may use. */
export interface CliContext {
  readonly config: Config;
  /** Writes to standard error. */
  readonly log: Log;
  /** Whether the answer will be printed as JSON. */
  readonly json: boolean;
  /** Whether standard error is a terminal, where progress can be drawn. */
  readonly live: boolean;
  /** Aborted by the first SIGINT or SIGTERM; the second ends the process. */
  readonly interrupted: AbortSignal;
  /** Prints an answer while the verb goes on. */
  readonly answer: (answer: Answer) => Promise<void>;
  /** Prints a line for a person on standard error. */
  readonly tell: (line: string) => void;
}

/**
 * What a verb logs unless told otherwise by --verbose: `all`, as a long-lived one must; `warnings`; or `errors` where a
 * warning, such as a document that failed, is what the verb will tell of anyway.
 */
export type LogHabit = 'all' | 'warnings' | 'errors';

/** A verb as the program knows it. */
export interface Verb {
  /** Words and arguments as commander takes them: `source add <name>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly (readonly [flags: string, meaning: string])[];
  readonly logs: LogHabit;
  /** Checks arguments and options, gathered under their names, and does the work. Throws USAGE for wrong ones. */
  perform(given: Record<string, unknown>, context: CliContext): Promise<Answer | undefined>;
}

/** Says what a verb takes and does; a verb file has nothing else to export. */
export function defineVerb<Input>(verb: {
  usage: string;
  summary: string;
  options?: readonly (readonly [flags: string, meaning: string])[];
  /** Default `warnings`. */
  logs?: LogHabit;
  /** Arguments and options by name; a repeated argument is an array. */
  input: ZodType<Input>;
  run: (input: Input, context: CliContext) => Promise<Answer | undefined>;
}): Verb {
  const { usage, summary, options = [], logs = 'warnings', input, run } = verb;
  return {
    usage,
    summary,
    options,
    logs,
    async perform(given, context) {
      const parsed = input.safeParse(given);
      if (!parsed.success) {
        const problems = parsed.error.issues.map(({ path: [name], message }) =>
          name === undefined ? message : `${asTyped(String(name), options)}: ${message}`,
        );
        throw new DocketError('USAGE', problems.join('; '), { hint: `docket ${firstWords(usage)} --help` });
      }
      return run(parsed.data, context);
    },
  };
}

/** An option as it is written on the command line, `validFrom` → `--valid-from`; an argument as it is. */
function asTyped(name: string, options: Verb['options']): string {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return options.some(([flags]) => flags.split(' ', 1)[0] === flag) ? flag : name;
}

/** The words of a usage before its arguments: `source add <name>` → `source add`. */
export function firstWords(usage: string): string {
  return usage.replace(/ *[[<].*$/, '');
}
