import type pg from 'pg';
import { coalesce } from '../attempts/coalesce.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ObjectStore } from '../store/store.ts';
import { startLoop } from './loop.ts';

/** Does in the object store what the database ordered: removes what was disposed of, protects what is to be kept. */
export interface ObjectOrders {
  /** Hands back what is under way; resolves when that is recorded. Never rejects. */
  stop(): Promise<void>;
}

const ORDERS_AT_ONCE = 4;
/** How a store that does not say until when it refuses is told to the database. */
const WITHOUT_END = 'infinity';

/**
 * Starts the work. What a dead worker had under way is handed out again once its time is over: both acts may be done twice.
 * Tells the database first, if the store can protect objects, that it can; until that is known, nothing else is done.
 */
export function startObjectOrders(options: {
  db: pg.Pool;
  store: ObjectStore;
  leaseId: string;
  log: Log;
}): ObjectOrders {
  const { db, store, leaseId, log } = options;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const record = coalesce((ends: readonly End[]) =>
    commands.recordObjectOrders(db, {
      orders: ends.map((end) => end.orderId),
      codes: ends.map((end) => end.code),
      keptUntil: ends.map((end) => end.keptUntil),
    }),
  );

  async function carryOut(order: commands.ClaimObjectOrdersRow): Promise<void> {
    const about = { job: order.job_id, act: order.act, object: order.locator };
    try {
      const { code, keptUntil } = await perform(store, order, { stopping: stopping.signal, log });
      const { outcome } = await record({ orderId: order.object_order_id, code, keptUntil });
      log.info({ ...about, outcome, code, keptUntil }, 'an order to the object store was carried out');
    } catch (err) {
      log.warn(
        { ...about, err },
        'the end of an order to the object store was not recorded; it is done again',
      );
    }
  }

  let isLockKnown = false;
  async function tellOfLock(): Promise<void> {
    if (await store.canProtect({ signal: stopping.signal })) {
      await commands.declareObjectLock(db, { leaseId });
      log.info('the object store protects what is verified');
    }
    isLockKnown = true;
  }

  const loop = startLoop({
    name: 'object orders',
    everyMs: 100,
    idleMs: 1_000,
    log,
    async round() {
      if (!isLockKnown) await tellOfLock();
      const free = ORDERS_AT_ONCE - underWay.size;
      if (free === 0) return false;
      const rows = await commands.claimObjectOrders(db, { limit: free });
      for (const row of rows) {
        const carrying = carryOut(row).finally(() => {
          underWay.delete(carrying);
          loop.wake();
        });
        underWay.add(carrying);
      }
      return rows.length > 0;
    },
  });
  return {
    async stop() {
      stopping.abort();
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

interface End {
  orderId: string;
  /** Null when it was done, or the store refuses for now. */
  code: string | null;
  /** Until when the store refuses; null when it does not. */
  keptUntil: string | null;
}

/** Carries out an order; answers how it ended, and never rejects. */
async function perform(
  store: ObjectStore,
  order: commands.ClaimObjectOrdersRow,
  { stopping, log }: { stopping: AbortSignal; log: Log },
): Promise<Omit<End, 'orderId'>> {
  const deadline = AbortSignal.timeout(order.seconds * 900);
  const signal = AbortSignal.any([stopping, deadline]);
  try {
    if (order.act === 'protect') {
      await store.protect(order, { retainUntil: toDate(order.retain_until), isHeld: order.is_held, signal });
      return { code: null, keptUntil: null };
    }
    const removal = await store.remove(order, { signal });
    if (removal.isRemoved) return { code: null, keptUntil: null };
    return { code: null, keptUntil: removal.retainedUntil?.toISOString() ?? WITHOUT_END };
  } catch (err) {
    if (stopping.aborted) return { code: 'WORKER_STOPPING', keptUntil: null };
    if (deadline.aborted) return { code: 'STORE_TIMEOUT', keptUntil: null };
    log.warn({ job: order.job_id, act: order.act, object: order.locator, err }, 'the object store failed');
    return { code: err instanceof DocketError ? err.code : 'INTERNAL_ERROR', keptUntil: null };
  }
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}
