import { z } from 'zod';
import { toDocketError } from '../cli-error.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { jobStatus } from '../job-status.ts';
import { overallStatus } from '../overall-status.ts';
import { mediumOf } from '../terminal/paint.ts';
import { defineVerb } from '../verb.ts';
import { withoutAnswer } from '../without-answer.ts';

export default defineVerb({
  usage: 'status [job]',
  summary:
    'One screen: what is wrong, the worst first, since when, and the next command; then documents, lanes and workers. Or all about one document.',
  input: z.strictObject({ job: jobArgument.optional() }),
  run: ({ job }, { config, log }) =>
    withDatabase(config, { log }, ({ reader }) =>
      job === undefined ? overallStatus(reader, config, mediumOf(process.stdout)) : jobStatus(reader, job),
    ).catch((error: unknown) => {
      throw withoutAnswer(toDocketError(error));
    }),
});
