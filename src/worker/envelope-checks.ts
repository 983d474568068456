import type pg from 'pg';
import type { SignatureChecker } from '../attempts/check-signatures.ts';
import { coalesce } from '../attempts/coalesce.ts';
import { toCandidates } from '../attempts/to-candidates.ts';
import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import type { ClaimedWork } from './claimed-work.ts';
import { inClaimedTime, startClaimedWork } from './claimed-work.ts';

const CHECKS_AT_ONCE = 2;

interface End {
  deliveryId: string;
  /** Null when the check was made. */
  code: string | null;
  /** What was found; null when the check was not made. */
  signatures: string | null;
}

/**
 * Checks signatures of documents that are verified already: envelopes that later deliveries brought, and whatever somebody
 * ordered to be judged anew. What is found is recorded, and neither refuses a document nor releases it.
 */
export function startEnvelopeChecks(options: {
  db: pg.Pool;
  signatures: SignatureChecker;
  log: Log;
}): ClaimedWork {
  const { db, signatures, log } = options;
  const record = coalesce((ends: readonly End[]) =>
    commands.recordEnvelopeChecks(db, {
      deliveries: ends.map((end) => end.deliveryId),
      codes: ends.map((end) => end.code),
      signatures: ends.map((end) => end.signatures),
    }),
  );
  return startClaimedWork({
    name: 'envelope checks',
    everyMs: 50,
    idleMs: 500,
    atOnce: CHECKS_AT_ONCE,
    log,
    claim: (limit) => commands.claimEnvelopeChecks(db, { limit }),
    async work(claimed, stopping) {
      const about = { delivery: claimed.delivery_id, job: claimed.job_id };
      try {
        const end = await check(signatures, claimed, stopping);
        const { outcome } = await record({ deliveryId: claimed.delivery_id, ...end });
        log.debug({ ...about, code: end.code, outcome }, 'the signatures of a delivery were checked');
      } catch (err) {
        log.warn({ ...about, err }, 'the check of signatures was not recorded; it is made again');
      }
    },
  });
}

async function check(
  signatures: SignatureChecker,
  claimed: commands.ClaimEnvelopeChecksRow,
  stopping: AbortSignal,
): Promise<Omit<End, 'deliveryId'>> {
  if (claimed.code !== null) return { code: claimed.code, signatures: null };
  const mayBeSigned = claimed.is_evidence && claimed.media_type === 'application/pdf';
  const scan = {
    candidates: toCandidates(claimed.candidates, claimed.sha256),
    sha256: claimed.sha256,
    inside: mayBeSigned ? claimed.delivery_id : null,
  };
  const end = await inClaimedTime(claimed.seconds, stopping, (signal) =>
    signatures.check(scan, [claimed], signal),
  );
  return 'code' in end ? { code: end.code, signatures: null } : { code: null, signatures: end.done };
}
