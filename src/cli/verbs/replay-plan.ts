import { z } from 'zod';
import { setReplayPlan } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 0 to 100000';

export default defineVerb({
  usage: 'replay plan',
  summary: 'Say how many documents are replayed each day without being asked for; or only show it.',
  options: [
    ['--daily <number>', 'replay so many a day; 0 for none'],
    ['--reread', 'recognise their text anew too; without it they are not'],
    AS_LOGIN,
  ],
  input: z
    .strictObject({
      daily: z.coerce.number(COUNT).int(COUNT).min(0, COUNT).max(100_000, COUNT).optional(),
      reread: z.boolean().optional(),
      as: z.string().optional(),
    })
    .refine(({ daily, reread }) => daily !== undefined || reread === undefined, 'state --daily too'),
  run: ({ daily, reread = false, as }, { config, log }) =>
    withDatabase(config, { log }, async (database) => {
      if (daily !== undefined) {
        await actAs(database, { as, roles: ['docket_operator'] }, (pool) =>
          setReplayPlan(pool, { dailyCount: daily, isReread: reread }),
        );
      }
      const plan = await database.reader
        .selectFrom('docket.replay_plan')
        .select(['daily_count', 'is_reread', 'set_at', 'set_by'])
        .executeTakeFirstOrThrow();
      const anew = plan.is_reread ? ', and their text is recognised anew' : '';
      return {
        json: { ...plan, set_at: isoTime(plan.set_at) },
        text:
          plan.daily_count === 0
            ? 'No document is replayed without being asked for.'
            : `${plan.daily_count} published documents are replayed each day${anew}.`,
      };
    }),
});
