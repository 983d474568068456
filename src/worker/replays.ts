import type pg from 'pg';
import type { SignatureChecker } from '../attempts/check-signatures.ts';
import type { OcrSetups } from '../attempts/ocr-setups.ts';
import { replayDocument, type Replayed } from '../attempts/replay-document.ts';
import { toCandidates } from '../attempts/to-candidates.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { OcrEngine } from '../ocr/engine.ts';
import { BUILT_IN, isRefusedSetup } from '../ocr/setup.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import type { ObjectStore } from '../store/store.ts';
import type { AuditWork } from './audit-pool.ts';
import { inClaimedTime } from './claimed-work.ts';
import { startLoop, type Loop } from './loop.ts';

const NOTHING: Replayed = { signatures: null, reading: null };

interface ReplayOptions extends OcrSetups {
  db: pg.Pool;
  store: ObjectStore;
  scans: ScanReader;
  signatures: SignatureChecker;
  engine: OcrEngine;
  tempFolder: () => Promise<string>;
  log: Log;
}

/** Starts the daily replay when it is time. */
export function startDailyReplays({ db, log }: Pick<ReplayOptions, 'db' | 'log'>): Loop {
  return startLoop({
    name: 'daily replay',
    everyMs: 60_000,
    idleMs: 600_000,
    log,
    async round() {
      const [started] = await commands.startDailyReplay(db);
      if (started) log.info(started, 'the daily replay has begun');
      return started !== undefined;
    },
  });
}

/**
 * Verifies published documents by replay: those that somebody asked for, and some each day. What was found is compared with
 * the log by the database, which records it.
 */
export function replayWork(options: ReplayOptions): AuditWork {
  const { db, log } = options;
  return async (limit) => {
    const claimed = await commands.claimReplayTasks(db, { limit });
    return claimed.map((document) => async (stopping) => {
      const about = { replay: document.replay_id, job: document.job_id };
      try {
        const outcome = await replay(options, document, stopping);
        log[outcome === 'failed' ? 'warn' : 'debug']({ ...about, outcome }, 'a document was replayed');
      } catch (err) {
        log.warn({ ...about, err }, 'the replay of a document was not recorded; it is done again');
      }
    });
  };
}

/** Looks at one document and has recorded what was found; answers how it came out. */
async function replay(
  options: ReplayOptions,
  claimed: commands.ClaimReplayTasksRow,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const { db } = options;
  const end = claimed.code === null ? await look(options, claimed, stopping) : { code: claimed.code };
  const { signatures, reading } = 'done' in end ? end.done : NOTHING;
  const [recorded] = await commands.recordReplays(db, {
    replays: [claimed.replay_id],
    jobs: [claimed.job_id],
    codes: ['code' in end ? end.code : null],
    found: ['error' in end ? foundInstead(end.error) : null],
    signatures: [signatures],
    // what is read again is read under the very configuration of what was published
    configs: [reading === null ? null : claimed.published_config_sha256],
    readings: [reading],
  });
  return recorded?.outcome;
}

function look(
  options: ReplayOptions,
  claimed: commands.ClaimReplayTasksRow,
  stopping: AbortSignal,
): ReturnType<typeof inClaimedTime<Replayed>> {
  const { db, ocrSetup } = options;
  const { is_reread, published_ocr_version: ocrVersion } = claimed;
  return inClaimedTime(claimed.seconds, stopping, async (signal) => {
    const [place] = toCandidates(claimed.candidates, claimed.sha256);
    if (place === undefined) throw new DocketError('OBJECT_NOT_FOUND', 'the evidence names no place');
    const { sealed_sha256: sha256, sealed_size_bytes: sizeBytes } = claimed;
    return replayDocument(
      {
        jobId: claimed.job_id,
        sha256: claimed.sha256,
        place,
        sealed: sha256 && { sha256, sizeBytes: Number(sizeBytes) },
        isReread: is_reread && ocrVersion !== null && (await readsAsThen(options, claimed, ocrVersion)),
      },
      {
        ...options,
        ocrSetup: () => ocrSetup(ocrVersion ?? BUILT_IN.version),
        deliveries: await commands.replayEnvelopes(db, { jobId: claimed.job_id }),
        budgetMs: claimed.seconds * 900,
        signal,
      },
    );
  });
}

/**
 * Whether the engine here reads, by the OCR configuration of what was published, with the very same as then. Where it may not read
 * by it at all it does not, and nothing is wrong with it.
 */
async function readsAsThen(
  { engineConfig }: ReplayOptions,
  { published_config_sha256: then }: commands.ClaimReplayTasksRow,
  ocrVersion: number,
): Promise<boolean> {
  const now = await engineConfig(ocrVersion).catch((error: unknown) => {
    if (!isRefusedSetup(error)) throw error;
  });
  return now !== undefined && then?.equals(now) === true;
}

/** The SHA-256, in hex, of bytes that are not the right ones, where all of them were read. */
function foundInstead(error: unknown): string | null {
  const found = error instanceof DocketError ? error.data['found'] : undefined;
  return typeof found === 'string' ? found : null;
}
