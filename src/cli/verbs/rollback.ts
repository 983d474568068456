import { z } from 'zod';
import { startRollback } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { spanArgument } from '../control-change.ts';
import { withDatabase } from '../database-access.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { createProgress } from '../progress.ts';
import { followRollback } from '../rollback/follow-rollback.ts';
import { rollbackAnswer } from '../rollback/rollback-answer.ts';
import { rollbackStandings } from '../rollback/rollback-standing.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rollback',
  summary:
    'Go back to the last OCR configuration that was good: close admission, let what is being read end, restore, open again.',
  options: [
    ['--drain <span>', 'let what is being read end for so long, then take it back; default "2 minutes"'],
    ['--no-wait', 'do not follow it; see docket rollback show'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    drain: spanArgument.optional(),
    wait: z.boolean().default(true),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ drain, wait, reason, as }, { config, log, live, interrupted, tell }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const { reader } = database;
        const [started] = await startRollback(pool, { reason, ...(drain !== undefined && { drain }) });
        if (started === undefined) throw new DocketError('DATABASE_ERROR', 'the rollback was not started');
        const { rollback_id: rollback } = started;
        if ((await countWorkers(reader)) === 0) tell(NO_WORKER);
        const standing = wait
          ? await followRollback(pool, reader, rollback, {
              signal: interrupted,
              progress: createProgress(live),
            })
          : (await rollbackStandings(reader, { rollback }))[0];
        return standing && rollbackAnswer(pool, reader, standing);
      }),
    ),
});
