import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { advanceRollback } from '../../db/commands.ts';
import type { Queryable } from '../../db/commands.ts';
import type { Database } from '../../db/rows.ts';
import { DocketError } from '../../errors.ts';
import type { Progress } from '../progress.ts';
import type { RollbackStanding } from './rollback-standing.ts';
import { rollbackEvents, rollbackStandings } from './rollback-standing.ts';

const STEP_EVERY_MS = 500;

/**
 * Follows a rollback to its end, telling each step as the log has it; where no worker is at work, it takes the steps itself. Rejects with
 * INTERRUPTED when the signal is aborted: the rollback goes on, where workers are.
 */
export async function followRollback(
  pool: Queryable,
  reader: Kysely<Database>,
  rollback: number,
  options: { signal: AbortSignal; progress: Progress },
): Promise<RollbackStanding> {
  const { signal, progress } = options;
  let told = 0;
  let seen = '';
  try {
    for (;;) {
      const [row] = await advanceRollback(pool);
      const [standing] = await rollbackStandings(reader, { rollback });
      if (standing === undefined)
        throw new DocketError('ZD093', `rollback: there is no rollback ${rollback}`);
      // The chain of the log is read again only where there is something new in it.
      if (seen !== `${standing.step} ${standing.failures}`) {
        seen = `${standing.step} ${standing.failures}`;
        const events = await rollbackEvents(reader, standing);
        for (const event of events.slice(told)) progress.line(`${event.at}  ${event.reason ?? event.event}`);
        told = events.length;
      }
      if (standing.ended_at !== null) return standing;
      if (row?.waits_for !== null || standing.failure !== null) {
        progress.note(`${standing.step}: waits for ${waitsFor(standing, row?.waits_for ?? null)}`);
        await delay(STEP_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
      if (signal.aborted)
        throw new DocketError(
          'INTERRUPTED',
          `stopped following rollback ${rollback}; workers go on with it`,
          {
            hint: 'docket rollback resume',
          },
        );
    }
  } finally {
    progress.clear();
  }
}

function waitsFor({ failure, drain_until: until, step }: RollbackStanding, waits: string | null): string {
  if (failure !== null) return `the next try: ${failure}`;
  return `${waits ?? 'a worker'}${step === 'drain' ? `, until ${until} at most` : ''}`;
}
