// Everything a bundle holds of one document, recomputed. Format: docs/bundle.md.
import type { EvidencePacket } from '../domain/packet-hash.ts';
import type { BundledOriginal, DocumentFiles } from './bundle-files.ts';
import { checkEvents, type BundledEvent, type SealedBy } from './check-events.ts';
import { checkEvidence, type BundledReport } from './check-evidence.ts';
import { checkReceipts } from './check-receipts.ts';
import { checkResults, type SupersededResult } from './check-result.ts';
import { textOf } from './json-value.ts';
import type { HashedResult } from './result-bytes.ts';
import { compared, judged, unchecked, type Step } from './step.ts';

export interface VerifiedDocument {
  readonly jobId: string;
  /** SHA-256 of the scan in hex, as its first event names it; empty where that cannot be read. */
  readonly sha256: string;
  /** As its last event here left it. */
  readonly state: string;
  readonly events: readonly BundledEvent[];
  /** What was stated with deliveries, by their numbers. */
  readonly packets: ReadonlyMap<string, EvidencePacket>;
  /** What was found of signatures, by the event. */
  readonly reports: readonly BundledReport[];
  /** The current one, by the events here. */
  readonly result: HashedResult | undefined;
  /** Those that were published before. */
  readonly superseded: readonly SupersededResult[];
  /** What receipts say. */
  readonly receipts: readonly Readonly<Record<string, unknown>>[];
  readonly original: BundledOriginal | undefined;
  readonly steps: readonly Step[];
}

/** What the files of one document are checked against. */
export interface Against {
  readonly sealed: SealedBy | undefined;
  readonly receiptKeys: readonly Uint8Array[];
}

export function verifyDocument(
  jobId: string,
  { files, original }: DocumentFiles,
  against: Against,
): VerifiedDocument {
  const steps: Step[] = [];
  const unused = new Set(files.keys());
  /** A file of the document; what was never asked for is not proven by anything. */
  const take = (name: string): Uint8Array | undefined => {
    unused.delete(name);
    return files.get(name);
  };
  const within = { jobId, steps, take };
  const events = checkEvents(within, files, against.sealed);
  const sha256 = textOf(events[0]?.detail['sha256']);
  const evidence = checkEvidence(within, events, sha256);
  const results = checkResults(within, events, sha256);
  const receipts = checkReceipts(within, events, { sha256, keys: against.receiptKeys });
  steps.push(
    original
      ? compared([jobId, 'original', original.name], original.sha256, sha256)
      : unchecked([jobId, 'original', 'scan'], 'it is not in the bundle'),
  );
  for (const name of unused) {
    steps.push(judged([jobId, 'files', name], false, 'a file that nothing names', 'only what the log names'));
  }
  const state = events.at(-1)?.toState ?? '';
  return { jobId, sha256, state, events, ...evidence, ...results, receipts, original, steps };
}
