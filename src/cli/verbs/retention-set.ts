import { z } from 'zod';
import { setRetention } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'retention set <kind>',
  summary: 'Say how long documents of a kind are kept that are received from now on.',
  options: [
    ['--for <span>', 'how long after receipt at least, such as "10 years" or "6 months"'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    kind: z.string(),
    for: z
      .string('required')
      .regex(
        /^\d{1,5} (day|month|year)s?( \d{1,5} (day|month)s?)*$/,
        'expected a span such as 10 years or 6 months',
      ),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ kind, for: retention, reason, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_evidence_owner'] }, async (pool) => {
        await setRetention(pool, { documentKind: kind, retention, reason });
        return {
          json: { document_kind: kind, retention },
          text: `Documents of kind ${kind} that are received from now on are kept for ${retention}.`,
        };
      }),
    ),
});
