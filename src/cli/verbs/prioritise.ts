import { z } from 'zod';
import { prioritise } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'prioritise <jobs...>',
  summary: 'Move accepted documents to another lane, whatever the rules of lanes say.',
  options: [
    ['--lane <name>', 'where to; default signature_critical'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    jobs: z.array(jobArgument).min(1),
    lane: z.string().default('signature_critical'),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ jobs, lane, reason, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const documents = await prioritise(pool, { jobs, lane, reason });
        return {
          json: { documents },
          text: documents.map((one) => `${one.job_id} is in lane ${one.lane}.`).join('\n'),
        };
      }),
    ),
});
