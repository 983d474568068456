import { z } from 'zod';
import { closeAdmission } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { awaitDrained } from '../await-drained.ts';
import { changeAnswer } from '../change-answer.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { haltedControls } from '../halted-controls.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { createProgress } from '../progress.ts';
import { defineVerb } from '../verb.ts';

const SECONDS = 'expected a number of seconds';

export default defineVerb({
  usage: 'drain',
  summary:
    'Close admission to all, and wait until what is under way is finished; docket resume opens it again.',
  options: [
    ['--timeout <seconds>', 'wait no longer; default: until it is done'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    timeout: z.coerce.number(SECONDS).min(0, SECONDS).default(Infinity),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ timeout, reason, as }, { config, log, live, interrupted, tell }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const { reader } = database;
        const [closed] = await closeAdmission(pool, { target: 'all', reason });
        if (closed === undefined) return undefined;
        if ((await countWorkers(reader)) === 0) tell(NO_WORKER);
        const progress = createProgress(live);
        let most = 0;
        const paused = (await haltedControls(reader)).filter(
          ({ control, target }) => control === 'pool' && target !== 'audit',
        );
        for (const pause of paused)
          tell(
            `What is under way waits for the pool ${pause.target}, which has no slots: ${pause.next_command}`,
          );
        const { underWay: left, isClosed } = await awaitDrained(reader, {
          withinMs: timeout * 1_000,
          signal: interrupted,
          onLook(underWay) {
            most = Math.max(most, underWay);
            progress.bar(most - underWay, most, 'finished');
          },
        }).finally(() => progress.clear());
        if (interrupted.aborted && left > 0) {
          throw new DocketError(
            'INTERRUPTED',
            `stopped waiting; documents that are still under way: ${left}. ` +
              (isClosed ? 'Admission stays closed' : 'Admission is open again'),
            { hint: isClosed ? "to let documents in again: docket resume --reason '...'" : undefined },
          );
        }
        const { json, text } = await changeAnswer(pool, closed.change_id);
        return {
          json: { ...(json as object), under_way: left, is_closed: isClosed },
          text: isClosed
            ? [
                left === 0
                  ? 'Nothing is under way any more.'
                  : `Documents that are still under way: ${left}. Admission stays closed.`,
                text,
              ].join('\n')
            : `Somebody opened admission again: docket changes. Nothing is drained; documents under way: ${left}.`,
          exitCode: left === 0 && isClosed ? EXIT.ok : EXIT.checkFailed,
        };
      }),
    ),
});
