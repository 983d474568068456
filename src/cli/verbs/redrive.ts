import { z } from 'zod';
import { redrive } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { timeArgument } from '../time-argument.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 1 to 10000';

export default defineVerb({
  usage: 'redrive <code>',
  summary:
    'Send documents that an outage put in quarantine back to admission, those that were stopped first first.',
  options: [
    ['--since <time>', 'those that were stopped at this time or later; default: all'],
    ['--limit <number>', 'so many at most; default 1000'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    code: z.string(),
    since: timeArgument.optional(),
    limit: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).max(10_000, COUNT).default(1000),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ code, since, limit, reason, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const documents = await redrive(pool, { code, since: since?.toISOString() ?? null, limit, reason });
        const more = documents.length === limit ? ' There may be more: call it again.' : '';
        return {
          json: { code, documents },
          text: `Documents that were stopped by ${code} and are sent back to admission: ${documents.length}.${more}`,
        };
      }),
    ),
});
