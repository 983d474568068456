import { randomUUID } from 'node:crypto';
import { checkEnvelope } from '../evidence/check-envelope.ts';
import { checkPdf } from '../evidence/pdf/check-pdf.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import type { Candidate } from './attempt.ts';
import { createScanCopy } from './scan-copy.ts';
import { toSignaturesJson, type LookedAt } from './signatures-json.ts';
import type { ReadTrust, TrustRow } from './trust-reader.ts';

/** A delivery whose signatures are looked at, as the database names it. */
export interface SignedDelivery extends TrustRow {
  readonly delivery_id: string;
  readonly envelope: Buffer | null;
}

/** Looks at signatures beside scans and inside them. */
export interface SignatureChecker {
  /**
   * Checks the envelopes of deliveries of one scan, and the signatures in it that were delivered by `inside`. The bytes are
   * read from the candidates where a format needs them. Answers what was found as docket.record_signatures reads it, or null
   * where there was nothing to look at. Rejects with CHECK_TIMEOUT, CHECK_CRASHED, the codes of reading, or the signal's reason.
   */
  check(
    scan: {
      readonly candidates: readonly Candidate[];
      readonly sha256: Buffer;
      readonly inside: string | null;
    },
    deliveries: readonly SignedDelivery[],
    signal: AbortSignal,
  ): Promise<string | null>;
}

export function createSignatureChecker(options: {
  scans: ScanReader;
  readTrust: ReadTrust;
  tempFolder: () => Promise<string>;
  /** What a process that reads a PDF may use, in MiB. */
  memoryLimitMb: number;
}): SignatureChecker {
  const { scans, readTrust, tempFolder, memoryLimitMb } = options;
  return {
    async check({ candidates, sha256, inside }, deliveries, signal) {
      const copy = createScanCopy({ scans, candidates, name: `signed-${randomUUID()}`, tempFolder, signal });
      const content = { sha256, sizeBytes: candidates[0]?.sizeBytes ?? 0, open: () => copy.open() };
      const looked: LookedAt[] = [];
      try {
        for (const { delivery_id: deliveryId, envelope, ...judgedBy } of deliveries) {
          const trust = await readTrust(judgedBy);
          const at = { deliveryId, judgedAt: trust.judgedAt };
          if (envelope !== null) {
            const reports = await checkEnvelope(envelope, content, trust, signal);
            looked.push({ ...at, place: 'envelope', reports });
          }
          if (deliveryId === inside) {
            const reports = await checkPdf(await copy.file(), trust, { signal, memoryLimitMb });
            looked.push({ ...at, place: 'embedded', reports });
          }
        }
      } finally {
        await copy.remove();
      }
      return looked.length === 0 ? null : toSignaturesJson(looked);
    },
  };
}
