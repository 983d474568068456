import type pg from 'pg';
import { coalesce } from '../attempts/coalesce.ts';
import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import type { ObjectStore } from '../store/store.ts';
import type { ClaimedWork } from './claimed-work.ts';
import { inClaimedTime, startClaimedWork } from './claimed-work.ts';

const ORDERS_AT_ONCE = 4;
/** How a store that does not say until when it refuses is told to the database. */
const WITHOUT_END = 'infinity';

interface End {
  orderId: string;
  /** Null when it was done, or the store refuses for now. */
  code: string | null;
  /** Until when the store refuses; null when it does not. */
  keptUntil: string | null;
}

/**
 * Does in the object store what the database ordered: removes what was disposed of, protects what is to be kept. Both may be
 * done twice. Tells the database first, if the store can protect objects, that it can; until that is known, nothing else is done.
 */
export function startObjectOrders(options: {
  db: pg.Pool;
  store: ObjectStore;
  leaseId: string;
  log: Log;
}): ClaimedWork {
  const { db, store, leaseId, log } = options;
  const record = coalesce((ends: readonly End[]) =>
    commands.recordObjectOrders(db, {
      orders: ends.map((end) => end.orderId),
      codes: ends.map((end) => end.code),
      keptUntil: ends.map((end) => end.keptUntil),
    }),
  );

  let isLockKnown = false;
  async function tellOfLock(signal: AbortSignal): Promise<void> {
    if (await store.canProtect({ signal })) {
      await commands.declareObjectLock(db, { leaseId });
      log.info('the object store protects what is verified');
    }
    isLockKnown = true;
  }

  return startClaimedWork({
    name: 'object orders',
    everyMs: 100,
    idleMs: 1_000,
    atOnce: ORDERS_AT_ONCE,
    log,
    async claim(limit, stopping) {
      if (!isLockKnown) await tellOfLock(stopping);
      return commands.claimObjectOrders(db, { limit });
    },
    async work(order, stopping) {
      const about = { job: order.job_id, act: order.act, object: order.locator };
      try {
        const end = await inClaimedTime(order.seconds, stopping, (signal) => carryOut(store, order, signal));
        const { code, error } = 'code' in end ? end : { code: null };
        if (error !== undefined) log.warn({ ...about, err: error }, 'the object store failed');
        const keptUntil = 'done' in end ? end.done : null;
        const { outcome } = await record({ orderId: order.object_order_id, code, keptUntil });
        log.info({ ...about, outcome, code, keptUntil }, 'an order to the object store was carried out');
      } catch (err) {
        log.warn(
          { ...about, err },
          'the end of an order to the object store was not recorded; it is done again',
        );
      }
    },
  });
}

/** Carries out an order; answers until when the store refuses, null if it does not. */
async function carryOut(
  store: ObjectStore,
  order: commands.ClaimObjectOrdersRow,
  signal: AbortSignal,
): Promise<string | null> {
  if (order.act === 'protect') {
    const retainUntil = order.retain_until === null ? null : new Date(order.retain_until);
    await store.protect(order, { retainUntil, isHeld: order.is_held, signal });
    return null;
  }
  const removal = await store.remove(order, { signal });
  return removal.isRemoved ? null : (removal.retainedUntil?.toISOString() ?? WITHOUT_END);
}
