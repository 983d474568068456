import type pg from 'pg';
import type { ZodType } from 'zod';
import { z } from 'zod';
import { actAs, AS_LOGIN } from './acting-login.ts';
import { changeAnswer } from './change-answer.ts';
import { withDatabase } from './database-access.ts';
import type { Verb } from './verb.ts';
import { defineVerb } from './verb.ts';

/** A span as Postgres and people write it. */
export const spanArgument = z
  .string()
  .regex(
    /^\d{1,6} ?(s|seconds?|m|minutes?|h|hours?|d|days?|weeks?)( \d{1,6} ?(s|seconds?|m|minutes?|h|hours?|d|days?))*$/,
    'expected a span such as 30 minutes, 2 hours or 365 days, at most a year',
  );

/** What every change takes, beside what is changed, as the commands of the database take it. */
interface Terms {
  readonly reason: string;
  /** For how long; absent where the change is for good. */
  readonly for?: string;
}

/**
 * A verb by which an operator changes a limit, a pool, a lane or admission: `change` does it and answers the number of the
 * change. What was there before is told, with the command that undoes it.
 */
export function defineControlChange<What>(verb: {
  usage: string;
  summary: string;
  options?: readonly (readonly [flags: string, meaning: string])[];
  /** Arguments and options that say what is changed. */
  what: { readonly [Name in keyof What]: ZodType<What[Name]> };
  /** False where the change cannot be for a time. Default true. */
  canEnd?: boolean;
  change: (pool: pg.Pool, what: What, terms: Terms) => Promise<readonly { readonly change_id: string }[]>;
}): Verb {
  const { usage, summary, options = [], what, canEnd = true, change } = verb;
  return defineVerb({
    usage,
    summary,
    options: [
      ...options,
      ...(canEnd
        ? ([['--for <span>', 'for so long, such as "2 hours"; default: until it is changed again']] as const)
        : []),
      ['--reason <text>', 'why, in words; it is recorded with your login'],
      AS_LOGIN,
    ],
    input: z.strictObject({
      ...what,
      ...(canEnd && { for: spanArgument.optional() }),
      reason: z.string('required'),
      as: z.string().optional(),
    }) as unknown as ZodType<What & { reason: string; for?: string; as?: string }>,
    run: (given, { config, log }) =>
      withDatabase(config, { log }, (database) =>
        actAs(database, { as: given.as, roles: ['docket_operator'] }, async (pool) => {
          const { reason, for: span } = given;
          const [changed] = await change(pool, given, { reason, ...(span !== undefined && { for: span }) });
          return changed && changeAnswer(pool, changed.change_id);
        }),
      ),
  });
}
