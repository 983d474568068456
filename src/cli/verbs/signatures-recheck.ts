import { z } from 'zod';
import { orderEnvelopeChecks } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { timeArgument } from '../time-argument.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'signatures recheck <jobs...>',
  summary: 'Have the signatures of documents judged again, against the anchors and revocation lists of now.',
  options: [['--at <time>', 'judge for this time; default: when each delivery was received'], AS_LOGIN],
  input: z.strictObject({
    jobs: z.array(jobArgument).min(1),
    at: timeArgument.optional(),
    as: z.string().optional(),
  }),
  run: ({ jobs, at, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(
        database,
        { as, roles: ['docket_operator', 'docket_evidence_owner', 'docket_auditor'] },
        async (pool) => {
          const documents = await orderEnvelopeChecks(pool, { jobs, judgedAt: at?.toISOString() ?? null });
          return {
            json: { judged_at: at?.toISOString() ?? null, documents },
            text: documents
              .map(({ job_id: job, ordered }) =>
                ordered === 0
                  ? `${job} has no delivery with a signature to judge.`
                  : `${job} will be judged by a worker; see docket signatures ${job}`,
              )
              .join('\n'),
          };
        },
      ),
    ),
});
