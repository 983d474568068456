import type pg from 'pg';
import { coalesce } from '../attempts/coalesce.ts';
import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import { toPlace } from '../sealing/place.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import { readChecked } from '../store/read-checked.ts';
import type { ClaimedWork } from './claimed-work.ts';
import { inClaimedTime, startClaimedWork } from './claimed-work.ts';

const CHECKS_AT_ONCE = 4;

interface End {
  deliveryId: string;
  /** Null when the bytes match. */
  code: string | null;
}

/**
 * Looks at deliveries of known documents by further sources, and lets a source see what it was seen to have. Each check reads
 * an object from end to end, as the hash task does, and records whether its bytes are those of the document.
 */
export function startDeliveryChecks(options: { db: pg.Pool; scans: ScanReader; log: Log }): ClaimedWork {
  const { db, scans, log } = options;
  const record = coalesce((ends: readonly End[]) =>
    commands.recordDeliveryChecks(db, {
      deliveries: ends.map((end) => end.deliveryId),
      codes: ends.map((end) => end.code),
    }),
  );
  return startClaimedWork({
    name: 'delivery checks',
    everyMs: 50,
    idleMs: 500,
    atOnce: CHECKS_AT_ONCE,
    log,
    claim: (limit) => commands.claimDeliveryChecks(db, { limit }),
    async work(claimed, stopping) {
      const about = { delivery: claimed.delivery_id, job: claimed.job_id };
      try {
        const code = claimed.code ?? (await read(scans, claimed, stopping));
        const { outcome } = await record({ deliveryId: claimed.delivery_id, code });
        log.debug({ ...about, code, outcome }, 'a delivery of a further source was checked');
      } catch (err) {
        log.warn({ ...about, err }, 'the check of a delivery was not recorded; it is made again');
      }
    },
  });
}

/** Reads an object to its end; answers null if its bytes are those of the document, else the code of what is wrong. */
async function read(
  scans: ScanReader,
  claimed: commands.ClaimDeliveryChecksRow,
  stopping: AbortSignal,
): Promise<string | null> {
  const place = toPlace(claimed, claimed.sha256);
  const stated = { sha256: claimed.sha256, sizeBytes: Number(claimed.size_bytes) };
  const end = await inClaimedTime(claimed.seconds, stopping, (signal) =>
    readChecked((opening) => scans.open(place, opening), stated, { signal, take: () => undefined }),
  );
  return 'code' in end ? end.code : null;
}
