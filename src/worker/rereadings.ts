import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { RedactRecognition } from '../attempts/define-task.ts';
import type { OcrSetups } from '../attempts/ocr-setups.ts';
import { toResultJson } from '../attempts/result-json.ts';
import { createScanCopy } from '../attempts/scan-copy.ts';
import { toCandidates } from '../attempts/to-candidates.ts';
import * as commands from '../db/commands.ts';
import { fromDatabase, isFaultOfDatabase } from '../db/errors.ts';
import { compareReadings } from '../domain/comparison/compare-readings.ts';
import type { ReadPage } from '../domain/comparison/compare-readings.ts';
import { comparisonJson } from '../domain/comparison/comparison-json.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { OcrEngine, RecognisedPage } from '../ocr/engine.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import type { AuditWork } from './audit-pool.ts';
import { inClaimedTime } from './claimed-work.ts';

interface RereadingOptions extends OcrSetups {
  db: pg.Pool;
  /** Under which attempts are opened; when it ends, they are taken back. */
  leaseId: string;
  scans: ScanReader;
  engine: OcrEngine;
  redact: RedactRecognition;
  tempFolder: () => Promise<string>;
  log: Log;
}

/** What was read, as docket.record_rereadings takes it. */
interface Reading {
  readonly config: Buffer;
  readonly result: string;
  /** Of a trial. */
  readonly comparison: string | null;
}

interface Failed {
  readonly code: string;
  readonly message: string | null;
}

type Claimed = commands.ClaimRereadingsRow;

/** How long it waits before it records again what could not be recorded. */
const RECORD_AGAIN_MS = 1_000;

/**
 * Reads published documents again, by the OCR configuration that each was ordered for. What is read for a trial is compared here
 * with what is published; whether anything else supersedes it, the database decides.
 */
export function rereadingWork(options: RereadingOptions): AuditWork {
  const { db, leaseId: lease, log } = options;
  const held = new Set<string>();
  return async (limit) => {
    const claimed = await commands.claimRereadings(db, { lease, limit, held: [...held] });
    for (const { rereading_id: id } of claimed) held.add(id);
    return claimed.map((document) => async (stopping) => {
      const { rereading_id: rereading, job_id: job, ocr_version: ocrVersion } = document;
      const about = { rereading, job, ocrVersion };
      try {
        const { outcome, code } = await reread(options, document, stopping);
        log[outcome === 'failed' ? 'warn' : 'debug'](
          { ...about, outcome, code },
          'a document was read again',
        );
      } catch (err) {
        log.warn({ ...about, err }, 'the re-reading of a document was not recorded; it is done again');
      } finally {
        held.delete(rereading);
      }
    });
  };
}

/** Reads one document and has recorded what came of it. */
async function reread(
  options: RereadingOptions,
  claimed: Claimed,
  stopping: AbortSignal,
): Promise<commands.RecordRereadingsRow> {
  if (claimed.code !== null) return record(options, claimed, { code: claimed.code, message: null }, stopping);
  const end = await inClaimedTime(
    claimed.seconds,
    stopping,
    (signal) => read(options, claimed, signal),
    'OCR_TIMEOUT',
  );
  return record(options, claimed, 'done' in end ? end.done : toFailed(end), stopping);
}

async function read(
  { scans, engine, ocrSetup, engineConfig, redact, tempFolder }: RereadingOptions,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Reading> {
  const { ocr_version: ocrVersion, is_trial: isTrial } = claimed;
  const candidates = toCandidates(claimed.candidates, claimed.sha256);
  const setup = await ocrSetup(ocrVersion);
  const name = `reread-${claimed.rereading_id}-${claimed.attempt}`;
  const copy = createScanCopy({ scans, candidates, name, tempFolder, signal });
  try {
    const deadline = claimed.seconds * 900;
    const recognition = await engine.recognise(await copy.file(), { signal, deadline, setup });
    const config = await engineConfig(ocrVersion);
    if (isTrial) {
      const comparison = await compareReadings(toReadPages(claimed.published), recognition.pages);
      return { config, result: toResultJson(recognition), comparison: comparisonJson(comparison) };
    }
    const redaction = await redact({ jobId: claimed.job_id }, claimed.document_kind, recognition);
    return { config, result: toResultJson(recognition, redaction), comparison: null };
  } finally {
    await copy.remove();
  }
}

/** What is wrong with the database is not charged to a document. */
function toFailed({ code, error }: { code: string; error?: unknown }): Failed {
  const isCharged = !(error instanceof DocketError && isFaultOfDatabase(error));
  return {
    code: isCharged ? code : 'WORKER_STOPPING',
    message: error instanceof Error ? error.message : null,
  };
}

/**
 * Records how it ended, again and again where the database does not answer: an attempt that stays open is nobody's until its lease
 * ends. What the database refuses is recorded as a failure of ours. Rejects where that is refused too, or the worker stops.
 */
async function record(
  options: RereadingOptions,
  claimed: Claimed,
  end: Reading | Failed,
  stopping: AbortSignal,
): Promise<commands.RecordRereadingsRow> {
  const isReading = 'result' in end;
  try {
    const [row] = await commands.recordRereadings(options.db, {
      rereadings: [claimed.rereading_id],
      attempts: [claimed.attempt],
      tokens: [claimed.token],
      codes: [isReading ? null : end.code],
      messages: [isReading ? null : end.message],
      configs: [isReading ? end.config : null],
      results: [isReading ? end.result : null],
      comparisons: [isReading ? end.comparison : null],
    });
    if (row === undefined) throw new Error('the database answered nothing');
    return row;
  } catch (error) {
    const failure = fromDatabase(error);
    if (isFaultOfDatabase(failure)) {
      if (stopping.aborted) throw failure;
      options.log.warn(
        { err: failure, rereading: claimed.rereading_id },
        'what was read again is recorded later',
      );
      await delay(RECORD_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
      return record(options, claimed, end, stopping);
    }
    if (!isReading && end.code === 'INTERNAL_ERROR') throw failure;
    const { code, message } = isReading ? failure : end;
    return record(options, claimed, { code: 'INTERNAL_ERROR', message: `${code}: ${message}` }, stopping);
  }
}

/** The pages that are published, as docket.claim_rereadings answers them. */
function toReadPages(published: unknown): readonly ReadPage[] {
  type PageRow = Omit<RecognisedPage, 'pageNo'> & { page_no: number };
  return ((published ?? []) as PageRow[]).map(({ page_no: pageNo, ...page }) => ({ pageNo, ...page }));
}
