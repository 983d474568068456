import type pg from 'pg';
import { createAttemptCommands } from '../attempts/attempt-commands.ts';
import { createSignatureChecker } from '../attempts/check-signatures.ts';
import { createOcrSetups } from '../attempts/ocr-setups.ts';
import { createTrustReader } from '../attempts/trust-reader.ts';
import { openPublisher } from '../checkpoints/open-publisher.ts';
import type { CheckpointSigner } from '../checkpoints/signer.ts';
import type { Config } from '../config.ts';
import * as commands from '../db/commands.ts';
import { connectionUrl, createPool, PLANNED_ONCE } from '../db/pools.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { OcrEngine } from '../ocr/engine.ts';
import type { ReceiptSigner } from '../receipts/signer.ts';
import { requireKeys } from '../sealing/require-keys.ts';
import type { Keyring } from '../sealing/keyring.ts';
import { createScanReader } from '../sealing/scan-reader.ts';
import type { ObjectStore } from '../store/store.ts';
import type { Traces } from '../traces.ts';
import { createAttemptRunner } from './attempt-runner.ts';
import { AUDITS_AT_ONCE, startAuditPool } from './audit-pool.ts';
import { startCheckpoints } from './checkpoints.ts';
import { CONNECTIONS, RUNNER_POOLS } from './connections.ts';
import { startDeliveryChecks } from './delivery-checks.ts';
import { startDocumentTraces } from './document-traces.ts';
import { startDuties } from './duties.ts';
import { startEnvelopeChecks } from './envelope-checks.ts';
import { openLease } from './lease.ts';
import { createMemoryPressure } from './memory-pressure.ts';
import { startObjectOrders } from './object-orders.ts';
import { startReceipts } from './receipts.ts';
import { startOutageWarnings } from './outage-warnings.ts';
import { createRunners, type Runners } from './runners.ts';
import { startRedaction } from './redaction.ts';
import { replayWork, startDailyReplays } from './replays.ts';
import { rereadingWork } from './rereadings.ts';
import { startRollbacks } from './rollbacks.ts';
import { startSeals } from './seals.ts';
import { startSearchIndex } from './search-index.ts';
import { startSlotReports } from './slot-reports.ts';
import { startWebhooks } from './webhooks.ts';
import { makeTempFolder, sweepTempFolders } from '../temp-folder.ts';

export interface SessionOptions {
  config: Config;
  store: ObjectStore;
  keyring: Keyring;
  engine: OcrEngine;
  /** The lease that this process had before, and lost. */
  lostLease?: string | undefined;
  /** Undefined where receipts are left to other workers. */
  signer?: ReceiptSigner | undefined;
  /** Undefined where checkpoints are left to another worker. */
  checkpointSigner?: CheckpointSigner | undefined;
  /** Undefined where nobody is told of the way of documents. */
  traces?: Traces | undefined;
  log: Log;
}

/** A worker's life under one lease. */
export interface Session {
  readonly leaseId: string;
  /** Aborted when the session can do no more work, and must be ended and replaced. */
  readonly lost: AbortSignal;
  /**
   * Takes no more work, lets attempts finish for so many milliseconds, aborts the rest, and gives everything back.
   * A lost session ends at once. Never rejects.
   */
  end(graceMs: number): Promise<void>;
}

/** How long aborted attempts may take to come to rest before they are left behind; others wait when the lease is lost. */
const REST_WITHIN_MS = 5_000;
const REST_WHEN_LOST_MS = 1_000;
/** How long attempts may take to be handed back when the lease is given up. */
const HAND_BACK_WITHIN_MS = 2_000;

/** Opens a lease and starts everything that works under it. Rejects, with nothing left open, if any of it cannot. */
export async function openSession({
  config,
  store,
  keyring,
  engine,
  signer,
  checkpointSigner,
  traces,
  lostLease,
  log,
}: SessionOptions): Promise<Session> {
  const url = connectionUrl(config, 'worker');
  const lease = await openLease({ url, pools: [...RUNNER_POOLS, 'audit'], lost: lostLease, log });
  const sessionLog = log.child({ lease: lease.id });
  const db = createPool({
    ...{ url, name: 'worker', max: CONNECTIONS.commands },
    log: sessionLog,
    settings: PLANNED_ONCE,
  });
  const beside = createPool({
    ...{ url, name: 'worker-beside', max: CONNECTIONS.beside },
    log: sessionLog,
    settings: PLANNED_ONCE,
  });
  const undo: (() => unknown)[] = [() => endPool(db), () => endPool(beside), () => lease.close()];
  let stopRunners: () => unknown = () => undefined;
  let lend: Runners['lend'] = () => Promise.resolve(undefined);
  try {
    await requireKeys(db, keyring);
    const scans = createScanReader({ store, keyring });
    await sweepTempFolders(config.tempDir, sessionLog);
    const temp = await makeTempFolder(config.tempDir, lease.id, sessionLog);
    undo.push(() => temp.remove());
    const tempFolder = () => temp.ensure();
    const signatures = createSignatureChecker({
      scans,
      readTrust: createTrustReader((revocationLists) =>
        commands.readRevocationLists(db, { revocationLists }),
      ),
      tempFolder,
      memoryLimitMb: config.ocrMemoryMb,
    });
    const duties = startDuties({ url, config, log: sessionLog });
    undo.push(() => duties.stop());
    const seals = startSeals({ url, log: sessionLog });
    undo.push(() => patience(REST_WHEN_LOST_MS, seals.stop()));
    const outages = startOutageWarnings(beside, sessionLog);
    undo.push(() => patience(REST_WHEN_LOST_MS, outages.stop()));
    const checks = startDeliveryChecks({ db: beside, scans, log: sessionLog });
    undo.push(() => patience(REST_WHEN_LOST_MS, checks.stop()));
    const envelopes = startEnvelopeChecks({ db: beside, signatures, log: sessionLog });
    undo.push(() => patience(REST_WHEN_LOST_MS, envelopes.stop()));
    const orders = startObjectOrders({ db: beside, store, leaseId: lease.id, log: sessionLog });
    undo.push(() => patience(REST_WHEN_LOST_MS, orders.stop()));
    if (signer) {
      const receipts = startReceipts({ db: beside, signer, issuer: config.receiptIssuer, log: sessionLog });
      undo.push(() => patience(REST_WHEN_LOST_MS, receipts.stop()));
      const webhooks = startWebhooks({ db: beside, signer, log: sessionLog });
      undo.push(() => patience(REST_WHEN_LOST_MS, webhooks.stop()));
    }
    if (checkpointSigner) {
      const publisher = await openPublisher(config, {
        db: beside,
        signer: checkpointSigner,
        log: sessionLog,
      });
      const checkpoints = startCheckpoints(publisher, sessionLog);
      undo.push(() => patience(REST_WHEN_LOST_MS, checkpoints.stop()));
    }
    const redaction = startRedaction(beside, sessionLog);
    undo.push(() => redaction.stop());
    const search = startSearchIndex(beside, sessionLog);
    undo.push(() => search.stop());
    const setups = createOcrSetups(db, engine);
    const daily = startDailyReplays({ db: beside, log: sessionLog });
    undo.push(() => daily.stop());
    const reading = { db: beside, scans, engine, ...setups, tempFolder, log: sessionLog };
    const audits = startAuditPool({
      kinds: [
        replayWork({ ...reading, store, signatures }),
        rereadingWork({ ...reading, leaseId: lease.id, redact: redaction.redact }),
      ],
      log: sessionLog,
    });
    undo.push(() => patience(REST_WHEN_LOST_MS, audits.stop()));
    const told = traces && startDocumentTraces({ db: beside, traces, log: sessionLog });
    if (told) undo.push(() => patience(REST_WHEN_LOST_MS, told.stop()));
    const attempts = createAttemptRunner({
      context: {
        redact: redaction.redact,
        commands: createAttemptCommands(db, lease, () => lend()),
        scans,
        signatures,
        engine,
        ...setups,
        tempFolder,
      },
      log: sessionLog,
      onLeaseOver: (error) => lease.lose(error),
      onForsaken: giveUp,
      traces,
      onJobEnded(jobId) {
        duties.wakeAdmission();
        told?.note(jobId);
      },
    });
    const rollbacks = startRollbacks({ db: beside, attempts, log: sessionLog });
    undo.push(() => patience(REST_WHEN_LOST_MS, rollbacks.stop()));
    /** Ends the lease by our own decision; what is under way is handed back before, so that it counts as no try. */
    function giveUp(error: DocketError): void {
      attempts.abort(new DocketError('WORKER_STOPPING', 'the worker begins anew', { cause: error }));
      void stopRunners();
      void patience(HAND_BACK_WITHIN_MS, attempts.idle()).then(() => lease.lose(error));
    }
    const runners = createRunners({
      url: connectionUrl(config, 'queue'),
      attempts,
      bind: (poolIds) => lease.bind(poolIds),
      onFailure: giveUp,
      log: sessionLog,
    });
    stopRunners = () => runners.stop();
    lend = () => runners.lend();
    lease.lost.addEventListener('abort', () => attempts.abort(lease.lost.reason as DocketError), {
      once: true,
    });
    if (lease.lost.aborted) attempts.abort(lease.lost.reason as DocketError);
    undo.push(async () => {
      const restMs = lease.lost.aborted ? REST_WHEN_LOST_MS : REST_WITHIN_MS;
      await patience(restMs, Promise.all([runners.stop(), attempts.idle()]));
      runners.cut();
    });

    const wanted: Record<string, number> = {
      io: config.ioSlots,
      ocr: config.ocrSlots,
      ocr_reserved: config.ocrReservedSlots,
      audit: AUDITS_AT_ONCE,
    };
    const slots = await startSlotReports({
      pools: [...runners.pools, audits.pool].map((pool) => ({
        ...{ pool, wanted: wanted[pool.name] ?? 0 },
        isHungry: pool.name !== 'io',
      })),
      report: (open) => lease.reportSlots(open),
      isMemoryShort: createMemoryPressure({ reserveMb: config.memoryReserveMb }),
      log: sessionLog,
    });
    undo.push(() => patience(REST_WHEN_LOST_MS, slots.stop()));

    return {
      leaseId: lease.id,
      lost: lease.lost,
      async end(graceMs) {
        const stopped = Promise.all([runners.stop(), attempts.idle()]);
        await Promise.race([patience(graceMs, stopped), aborted(lease.lost)]);
        attempts.abort(new DocketError('WORKER_STOPPING', 'the worker was told to stop'));
        await undoAll(undo);
      },
    };
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

/** Newest first, each even if another failed: every step looks after its own errors. */
async function undoAll(steps: (() => unknown)[]): Promise<void> {
  for (const step of steps.toReversed()) await step();
}

/** Idle connections are closed at once; one that hangs is left to its timeout. */
async function endPool(pool: pg.Pool): Promise<void> {
  await patience(REST_WITHIN_MS, pool.end());
}

/** Resolves with the promise, however it ends, or after so many milliseconds. */
function patience(ms: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(done, done);
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
