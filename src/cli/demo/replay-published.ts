import { setTimeout as delay } from 'node:timers/promises';
import { startReplay } from '../../db/commands.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { replayStanding } from '../replay/replay-standing.ts';

/** How the replay of all published documents came out. */
export interface ReplayedAll {
  readonly passed: number;
  readonly failed: number;
  /** Could not be looked at, or not in time. */
  readonly unchecked: number;
}

const LOOK_EVERY_MS = 100;
const AT_MOST_MS = 60_000;

/** Has every published document verified by replay, by the worker that runs. Not for ever, as the demo goes without. */
export async function replayPublished(
  database: DatabaseAccess,
  signal: AbortSignal,
  onLook: (done: number, total: number) => void,
): Promise<ReplayedAll> {
  const auditor = database.as('docket_auditor');
  const enough = AbortSignal.any([signal, AbortSignal.timeout(AT_MOST_MS)]);
  const [started] = await startReplay(auditor, {
    count: null,
    share: 1,
    seed: null,
    sources: null,
    isReread: false,
    reason: 'The demo verifies everything that it published.',
  });
  const replayId = started?.replay_id ?? 0;
  for (;;) {
    const { passed, failed, unchecked, waiting } = await replayStanding(database.reader, replayId);
    onLook(passed + failed + unchecked, passed + failed + unchecked + waiting);
    if (waiting === 0 || enough.aborted) return { passed, failed, unchecked: unchecked + waiting };
    await delay(LOOK_EVERY_MS, undefined, { signal: enough }).catch(() => undefined);
  }
}
