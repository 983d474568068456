import type { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';
import type { OcrEngine } from '../ocr/engine.ts';
import type { OcrSetup } from '../ocr/setup.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import { readChecked } from '../store/read-checked.ts';
import type { ObjectStore } from '../store/store.ts';
import type { Candidate } from './attempt.ts';
import type { SignatureChecker, SignedDelivery } from './check-signatures.ts';
import { toResultJson } from './result-json.ts';
import { createScanCopy } from './scan-copy.ts';

/** A published document that is to be looked at again. */
export interface ReplayedDocument {
  readonly jobId: string;
  readonly sha256: Buffer;
  /** Where its evidence lies. */
  readonly place: Candidate;
  /** What the object was like when Docket sealed it; null where it did not. */
  readonly sealed: { readonly sha256: Buffer; readonly sizeBytes: number } | null;
  /** Whether its text is to be recognised anew. */
  readonly isReread: boolean;
}

/** A delivery whose signatures are checked as they were when they were checked last. */
export interface CheckedDelivery extends SignedDelivery {
  readonly is_embedded: boolean;
}

/** What was found of a document, as docket.record_replays compares it with the log. */
export interface Replayed {
  /** As record_signatures reads it; null where there was nothing to look at. */
  readonly signatures: string | null;
  /** As record_results takes it; null where the text was not recognised anew. */
  readonly reading: string | null;
}

/**
 * Looks at a published document again: reads its object and refuses other bytes than those of the log, checks its signatures
 * by what they were judged by before, and recognises its text anew where that is wanted. Throws what readChecked, the scan
 * reader, the check of signatures and the engine throw, OBJECT_DAMAGED, or the signal's reason.
 */
export async function replayDocument(
  document: ReplayedDocument,
  context: {
    store: ObjectStore;
    scans: ScanReader;
    signatures: SignatureChecker;
    engine: OcrEngine;
    /** By what its text is recognised anew; not asked for where it is not. */
    ocrSetup: () => Promise<OcrSetup>;
    deliveries: readonly CheckedDelivery[];
    tempFolder: () => Promise<string>;
    /** How long the recognition may take, in milliseconds. */
    budgetMs: number;
    signal: AbortSignal;
  },
): Promise<Replayed> {
  const { place, sha256, sealed, isReread } = document;
  const { store, scans, signatures, engine, ocrSetup, deliveries, tempFolder, budgetMs, signal } = context;
  if (sealed) await readSealed((opening) => store.get(place, opening), sealed, signal);
  const name = `replayed-${document.jobId}`;
  const copy = createScanCopy({ scans, candidates: [place], name, tempFolder, signal });
  try {
    if (isReread) await copy.file();
    else await readChecked((opening) => scans.open(place, opening), place, { signal, take: () => undefined });
    const inside = deliveries.find((one) => one.is_embedded)?.delivery_id ?? null;
    const scan = { candidates: [place], sha256, inside };
    const found = deliveries.length === 0 ? null : await signatures.check(scan, deliveries, signal);
    if (!isReread) return { signatures: found, reading: null };
    const reading = { signal, deadline: budgetMs, setup: await ocrSetup() };
    const recognition = await engine.recognise(await copy.file(), reading);
    return { signatures: found, reading: toResultJson(recognition) };
  } finally {
    await copy.remove();
  }
}

/** Reads the object as it lies in the store: that it decrypts says less than that not one byte of it is another. */
async function readSealed(
  open: (options: { signal: AbortSignal }) => Promise<Readable>,
  sealed: { sha256: Buffer; sizeBytes: number },
  signal: AbortSignal,
): Promise<void> {
  try {
    await readChecked(open, sealed, { signal, take: () => undefined });
  } catch (error) {
    if (!(error instanceof DocketError) || !/^(HASH|SIZE)_MISMATCH$/.test(error.code)) throw error;
    throw new DocketError('OBJECT_DAMAGED', `the sealed object is not what it was: ${error.message}`, {
      cause: error,
    });
  }
}
