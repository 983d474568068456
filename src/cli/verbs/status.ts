import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { jobStatus } from '../job-status.ts';
import { overallStatus } from '../overall-status.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'status [job]',
  summary: 'Count documents by state with the age of the oldest, or say all about one.',
  input: z.strictObject({ job: jobArgument.optional() }),
  run: ({ job }, { config, log }) =>
    withDatabase(config, { log }, ({ reader }) =>
      job === undefined ? overallStatus(reader) : jobStatus(reader, job),
    ),
});
