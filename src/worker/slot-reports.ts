import type { Log } from '../log.ts';
import type { Lease } from './lease.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';
import type { SlotPool } from './slot-pool.ts';

/** A pool, and how many slots the configuration wants it to have. */
interface ConfiguredPool {
  readonly pool: SlotPool;
  readonly wanted: number;
  /** Whether its work takes memory by the hundred megabytes. */
  readonly isHungry: boolean;
}

/** While slots go from one process to another, which takes three looks, it is looked more often: a change takes two seconds at most. */
const EVERY_MS = 100;
const IDLE_MS = 400;

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
  let last = '';

  async function round(): Promise<boolean> {
    const isShort = await isMemoryShort();
    const held = pools.map((one) => ({ ...one, heldBack: isShort && one.isHungry ? 'memory' : null }));
    // Before it is reported what is open: what is told to others as free must not be taken any more.
    const holding = held.filter(({ heldBack }) => heldBack !== null);
    await Promise.all(holding.map(({ pool }) => pool.resize(0)));
    const granted = await report(
      held.map(({ pool, wanted, heldBack }) => ({ pool: pool.name, wanted, open: pool.open(), heldBack })),
    );
    const taking = held.filter(({ heldBack }) => heldBack === null);
    await Promise.all(
      taking.map(({ pool }) => pool.resize(granted.find((row) => row.pool === pool.name)?.granted ?? 0)),
    );
    return isNew(held.map(({ pool, heldBack }) => ({ pool: pool.name, open: pool.open(), heldBack })));
  }

  function isNew(present: readonly { pool: string; open: number; heldBack: string | null }[]): boolean {
    const text = JSON.stringify(present);
    if (text === last) return false;
    if (last !== '') log.info({ slots: present }, 'the slots of this worker changed');
    last = text;
    return true;
  }

  await round();
  return startLoop({ name: 'slots', everyMs: EVERY_MS, idleMs: IDLE_MS, log, round });
}
