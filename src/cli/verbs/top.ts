import { z } from 'zod';
import { toDocketError } from '../cli-error.ts';
import { withDatabase } from '../database-access.ts';
import { everyArgument, runTop } from '../top/run-top.ts';
import { defineVerb } from '../verb.ts';
import { withoutAnswer } from '../without-answer.ts';

/** A look that takes longer is given up, and taken again. */
const LOOK_WITHIN_MS = 5_000;

export default defineVerb({
  usage: 'top',
  summary: 'Show live what waits, what is under way, who works, and what is wrong; q ends it.',
  options: [
    ['--every <span>', 'how often to look, from 2s (default) to 1h'],
    ['--once', 'print one look, and end'],
  ],
  logs: 'errors',
  input: z.strictObject({ every: everyArgument, once: z.boolean().default(false) }),
  run: (input, context) =>
    withDatabase(context.config, { log: context.log, statementTimeoutMs: LOOK_WITHIN_MS }, ({ reader }) =>
      runTop(reader, input, context),
    ).catch((error: unknown) => {
      throw withoutAnswer(toDocketError(error));
    }),
});
