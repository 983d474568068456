import type { Log } from '../log.ts';
import type { Lease } from './lease.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';
import type { SlotPool } from './slot-pool.ts';

/** A pool, and how many slots the configuration wants it to have. */
export interface ConfiguredPool {
  readonly pool: SlotPool;
  readonly wanted: number;
  /** Whether its work takes memory by the hundred megabytes. */
  readonly isHungry: boolean;
}

/** A change of a limit takes effect in two seconds: three looks, if slots go from one process to another. */
const EVERY_MS = 400;

/**
 * Has every pool as many slots as the database says, now and whenever it says otherwise; while memory is short, those that take
 * much of it have none but what is at work. Rejects if the first slots cannot be had.
 */
export async function startSlotReports(options: {
  pools: readonly ConfiguredPool[];
  report: Lease['reportSlots'];
  isMemoryShort: () => Promise<boolean>;
  log: Log;
}): Promise<Pick<Loop, 'stop'>> {
  const { pools, report, isMemoryShort, log } = options;
  const last = new Map<string, string>();

  async function round(): Promise<boolean> {
    const isShort = await isMemoryShort();
    const held = pools.map((one) => ({ ...one, heldBack: isShort && one.isHungry ? 'memory' : null }));
    // Before it is reported what is open: what is told to others as free must not be taken any more.
    const holding = held.filter(({ heldBack }) => heldBack !== null);
    await Promise.all(holding.map(({ pool }) => pool.resize(0)));
    const granted = await report(
      held.map(({ pool, wanted, heldBack }) => ({ pool: pool.name, wanted, open: pool.open(), heldBack })),
    );
    await Promise.all(
      held.map(async ({ pool, heldBack }) => {
        const slots = granted.find((row) => row.pool === pool.name)?.granted ?? 0;
        note(pool.name, { slots, heldBack });
        await pool.resize(heldBack === null ? slots : 0);
      }),
    );
    return true;
  }

  function note(pool: string, about: { slots: number; heldBack: string | null }): void {
    const text = JSON.stringify(about.heldBack ?? about.slots);
    if (last.has(pool) && last.get(pool) !== text)
      log.info({ pool, ...about }, 'the slots of a pool changed');
    last.set(pool, text);
  }

  await round();
  return startLoop({ name: 'slots', everyMs: EVERY_MS, log, round });
}
