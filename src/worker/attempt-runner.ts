import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt } from '../attempts/attempt.ts';
import type { LentSlot, Outcome } from '../attempts/attempt-commands.ts';
import type { Task, TaskContext } from '../attempts/define-task.ts';
import { readMessage } from '../attempts/message.ts';
import { fromDatabase, isFaultOfDatabase, isOutcomeUnknown } from '../db/errors.ts';
import { tracedCommands } from '../attempts/traced-commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { NO_TRACE, type Traces } from '../traces.ts';

/** Runs tasks as attempts, and can end all of them. */
export interface AttemptRunner {
  /**
   * Handles one message of the queue. Resolves when the message may be forgotten: the work is done, or its failure is
   * recorded. Rejects when that could not be: then the queue keeps it. `pool` is that of the slot.
   */
  run(task: Task, message: unknown, pool: string): Promise<void>;
  /** The attempts at recognition that are being made. */
  readings(): Attempt[];
  /** Aborts one of them for this reason, if it is still being made. */
  end(reading: Attempt, reason: DocketError): void;
  /** Aborts every attempt under way, and refuses new ones, for this reason. Later calls change nothing. */
  abort(reason: DocketError): void;
  /** Resolves when no attempt is under way. */
  idle(): Promise<void>;
}

interface Step {
  readonly task: Task;
  readonly attempt: Attempt;
  /** Of the slot in which it is made. */
  readonly pool: string;
}

/** The lease ended: nothing may be recorded any more, and others have the job. */
const LEASE_OVER = new Set(['LEASE_LOST', 'ZD040']);
/** Slots that are lent are of this pool. */
const LENT_POOL = 'ocr';
const DEADLINE_PASSED = 'DEADLINE_PASSED';
const DEPENDENCY_DOWN = 'DEPENDENCY_DOWN';
/** How long a slot rests over a job that may not begin on this host, so that hosts without trouble are the first to see the queue. */
const HELD_BACK_MS = 200;

export function createAttemptRunner(options: {
  context: Omit<TaskContext, 'signal' | 'log' | 'trace'>;
  /** Undefined where nobody is told. */
  traces?: Traces | undefined;
  log: Log;
  /** Called when the lease is over. */
  onLeaseOver: (error: DocketError) => void;
  /** Called when the lease must end, because it holds an attempt that this process cannot end. */
  onForsaken: (error: DocketError) => void;
  /** Called after each attempt that left nothing due for its job. */
  onJobEnded: (jobId: string) => void;
}): AttemptRunner {
  const { context, traces, log, onLeaseOver, onForsaken, onJobEnded } = options;
  const underWay = new Set<AbortController>();
  const reading = new Map<Attempt, AbortController>();
  const waiting: (() => void)[] = [];
  let refusal: DocketError | undefined;

  async function perform({ task, attempt, pool }: Step, control: AbortController): Promise<Outcome> {
    const about = { task: task.name, job: attempt.jobId, attempt: attempt.attempt };
    const jobLog = log.child(about);
    const startedMs = performance.now();
    const trace = traces?.attempt(attempt.jobId, task.name, {
      ...{ job: attempt.jobId, attempt: attempt.attempt, pool, ocr_version: attempt.ocrVersion },
    });
    const commands = trace === undefined ? context.commands : tracedCommands(context.commands, trace);
    const end = await task
      .run(attempt, { ...context, commands, trace: trace ?? NO_TRACE, signal: control.signal, log: jobLog })
      .catch((error: unknown) => recordFailure(task, attempt, control.signal, error, jobLog))
      .catch((error: unknown) => {
        trace?.end({ outcome: 'left open' }, fromDatabase(error).code);
        throw error;
      });
    trace?.end({ outcome: end.outcome }, end.code ?? undefined);
    jobLog.debug({ ...end, ms: Math.round(performance.now() - startedMs) }, 'attempt ended');
    if (end.outcome === 'published' || end.outcome === 'quarantined') onJobEnded(attempt.jobId);
    return end;
  }

  async function recordFailure(
    task: Task,
    attempt: Attempt,
    signal: AbortSignal,
    error: unknown,
    jobLog: Log,
  ) {
    const failure = codeOf(error, signal, task);
    // What is wrong with the database is not charged to a document.
    if (LEASE_OVER.has(failure.code) || isFaultOfDatabase(failure)) throw failure;
    jobLog.warn({ err: error, code: failure.code }, 'attempt failed');
    const known = { code: failure.code, message: failure.message };
    return context.commands.fail(attempt, known).catch((refused: unknown) => {
      if (fromDatabase(refused).code !== 'ZD022') throw refused;
      return context.commands.fail(attempt, {
        code: 'INTERNAL_ERROR',
        message: `${known.code}: ${known.message}`,
      });
    });
  }

  /** Does something that may have an attempt open, which `open` names, and sees to it that none is left open that nobody makes. */
  async function watch(
    work: (control: AbortController, open: (forMs: () => number) => void) => Promise<void>,
  ) {
    const control = new AbortController();
    underWay.add(control);
    /** Of the attempt, if one may be open: how long until the database takes it back by itself. */
    let openForMs: (() => number) | undefined;
    try {
      await work(control, (forMs) => (openForMs = forMs));
    } catch (error) {
      const failure = fromDatabase(error);
      // An attempt that stays open delays its job until its deadline; when the lease ends, it is taken back at once.
      if (LEASE_OVER.has(failure.code)) onLeaseOver(failure);
      else if (openForMs !== undefined && openForMs() > 0) onForsaken(failure);
      throw failure;
    } finally {
      underWay.delete(control);
      if (underWay.size === 0) waiting.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Makes an attempt, and those that it brings. */
  async function follow(
    first: Step,
    control: AbortController,
    open: (forMs: () => number) => void,
  ): Promise<void> {
    let step: Step | undefined = first;
    while (step !== undefined) {
      const { task, attempt, pool }: Step = step;
      open(attempt.remainingMs);
      const timer = setTimeout(() => {
        control.abort(new DocketError(DEADLINE_PASSED, 'the deadline of the attempt passed'));
      }, attempt.remainingMs());
      // An attempt that never ends must not keep a stopped process alive.
      timer.unref();
      if (attempt.ocrVersion !== undefined) reading.set(attempt, control);
      const end: Outcome = await perform(step, control).finally(() => {
        clearTimeout(timer);
        reading.delete(attempt);
      });
      const nextPool: string = end.slot === undefined ? pool : LENT_POOL;
      step = task.next && end.next && { task: task.next, attempt: end.next, pool: nextPool };
      if (step !== undefined && end.slot !== undefined) {
        void followInSlot(step, end.slot);
        return;
      }
    }
  }

  /** Goes on in a slot of another pool. No message waits for what comes of it: where it cannot be recorded, the attempt is taken back. */
  async function followInSlot(step: Step, slot: LentSlot): Promise<void> {
    try {
      await watch((control, open) => {
        if (refusal !== undefined) control.abort(refusal);
        return follow(step, control, open);
      });
    } catch (error) {
      log.warn({ err: error, task: step.task.name, job: step.attempt.jobId }, 'an attempt was left open');
    } finally {
      slot.giveBack();
    }
  }

  return {
    async run(task, message, pool) {
      const read = readMessage(message);
      if (read === undefined) {
        // The reconciler wakes its job again, if it has one that is due: so do messages of releases that signed none.
        log.warn({ task: task.name }, 'a message of the queue has not the agreed shape; it is dropped');
        return;
      }
      if (refusal !== undefined) throw refusal;
      await watch(async (control, open) => {
        const attempt = await context.commands.begin(task.name, read).catch((error: unknown) => {
          if (isOutcomeUnknown(error)) open(() => Infinity);
          throw error;
        });
        if (attempt === undefined) return;
        if ('refused' in attempt) {
          if (attempt.refused === DEPENDENCY_DOWN) {
            await delay(HELD_BACK_MS, undefined, { signal: control.signal }).catch(() => undefined);
            return;
          }
          log.warn(
            { task: task.name, job: read.jobId, code: attempt.refused },
            'a message of the queue was refused',
          );
          return;
        }
        await follow({ task, attempt, pool }, control, open);
      });
    },

    readings: () => [...reading.keys()],

    end: (attempt, reason) => reading.get(attempt)?.abort(reason),

    abort(reason) {
      refusal ??= reason;
      for (const control of underWay) control.abort(refusal);
    },

    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** Why an attempt failed, as a code the database knows. Being told to stop outweighs whatever came of it. */
function codeOf(error: unknown, signal: AbortSignal, task: Task): DocketError {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason instanceof DocketError && reason.code !== DEADLINE_PASSED) return reason;
  if (reason instanceof DocketError && (!(error instanceof DocketError) || error.code === DEADLINE_PASSED)) {
    return new DocketError(task.overrun, reason.message, { cause: error });
  }
  if (error instanceof DocketError) {
    return error.code.startsWith('ZD') && !LEASE_OVER.has(error.code) ? internal(error) : error;
  }
  return internal(error);
}

function internal(error: unknown): DocketError {
  return new DocketError('INTERNAL_ERROR', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
