import { z } from 'zod';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { createProgress } from '../progress.ts';
import { followRollback } from '../rollback/follow-rollback.ts';
import { rollbackAnswer } from '../rollback/rollback-answer.ts';
import { rollbackStandings } from '../rollback/rollback-standing.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rollback resume',
  summary: 'Follow the rollback under way to its end, and take its steps where no worker is at work.',
  options: [AS_LOGIN],
  input: z.strictObject({ as: z.string().optional() }),
  run: ({ as }, { config, log, live, interrupted }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const { reader } = database;
        const [newest] = await rollbackStandings(reader, {});
        if (newest === undefined) return { json: { rollback: null }, text: 'Nothing was rolled back yet.' };
        const standing =
          newest.ended_at !== null
            ? newest
            : await followRollback(pool, reader, newest.rollback, {
                signal: interrupted,
                progress: createProgress(live),
              });
        return rollbackAnswer(pool, reader, standing);
      }),
    ),
});
