import { z } from 'zod';
import { releaseQuarantined } from '../../db/commands.ts';
import { fromDatabase } from '../../db/errors.ts';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'release <job>',
  summary: 'Send a quarantined document back to admission, for a stated reason.',
  options: [['--reason <text>', 'why, in words; it is recorded with your login']],
  input: z.strictObject({ job: jobArgument, reason: z.string('required') }),
  run: ({ job, reason }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      const [released] = await releaseQuarantined(as('docket_evidence_owner'), { jobs: [job], reason }).catch(
        explainDenial,
      );
      const state = released?.state ?? 'accepted';
      return { json: { job_id: job, state }, text: `${job} is ${state}.` };
    }),
});

function explainDenial(error: unknown): never {
  const { code, message } = fromDatabase(error);
  if (code !== 'DATABASE_DENIED') throw error;
  throw new DocketError(code, message, {
    cause: error,
    hint: 'only evidence owners release: grant docket_evidence_owner to the login of DOCKET_DATABASE_URL',
  });
}
