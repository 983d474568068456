import type pg from 'pg';
import { coalesce } from '../attempts/coalesce.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { toPlace } from '../sealing/place.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import { readChecked } from '../store/read-checked.ts';
import { startLoop } from './loop.ts';

/** Looks at deliveries of known documents by further sources, and lets a source see what it was seen to have. */
export interface DeliveryChecks {
  /** Hands back what is being read; resolves when that is recorded. Never rejects. */
  stop(): Promise<void>;
}

const CHECKS_AT_ONCE = 4;

/**
 * Starts the checks. Each reads an object from end to end, as the hash task does, and records whether its bytes are those of
 * the document. What a dead worker had under way is handed out again once its time is over.
 */
export function startDeliveryChecks(options: { db: pg.Pool; scans: ScanReader; log: Log }): DeliveryChecks {
  const { db, scans, log } = options;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const record = coalesce((ends: readonly End[]) =>
    commands.recordDeliveryChecks(db, {
      deliveries: ends.map((end) => end.deliveryId),
      codes: ends.map((end) => end.code),
    }),
  );

  async function check(claimed: commands.ClaimDeliveryChecksRow): Promise<void> {
    const about = { delivery: claimed.delivery_id, job: claimed.job_id };
    try {
      const code = claimed.code ?? (await read(scans, claimed, stopping.signal));
      const { outcome } = await record({ deliveryId: claimed.delivery_id, code });
      log.debug({ ...about, code, outcome }, 'a delivery of a further source was checked');
    } catch (err) {
      log.warn({ ...about, err }, 'the check of a delivery was not recorded; it is made again');
    }
  }

  const loop = startLoop({
    name: 'delivery checks',
    everyMs: 50,
    idleMs: 500,
    log,
    async round() {
      const free = CHECKS_AT_ONCE - underWay.size;
      if (free === 0) return false;
      const rows = await commands.claimDeliveryChecks(db, { limit: free });
      for (const row of rows) {
        const checking = check(row).finally(() => {
          underWay.delete(checking);
          loop.wake();
        });
        underWay.add(checking);
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
  deliveryId: string;
  /** Null when the bytes match. */
  code: string | null;
}

/** Reads an object to its end; answers null if its bytes are those of the document, else the code of what is wrong. */
async function read(
  scans: ScanReader,
  claimed: commands.ClaimDeliveryChecksRow,
  stopping: AbortSignal,
): Promise<string | null> {
  const deadline = AbortSignal.timeout(claimed.seconds * 900);
  const signal = AbortSignal.any([stopping, deadline]);
  const place = toPlace(claimed, claimed.sha256);
  const stated = { sha256: claimed.sha256, sizeBytes: Number(claimed.size_bytes) };
  try {
    await readChecked((opening) => scans.open(place, opening), stated, { signal, take: () => undefined });
    return null;
  } catch (error) {
    if (stopping.aborted) return 'WORKER_STOPPING';
    if (deadline.aborted) return 'STORE_TIMEOUT';
    return error instanceof DocketError ? error.code : 'INTERNAL_ERROR';
  }
}
