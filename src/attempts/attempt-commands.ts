import { setTimeout as delay } from 'node:timers/promises';
import * as commands from '../db/commands.ts';
import { DATABASE_UNAVAILABLE, fromDatabase } from '../db/errors.ts';
import { countDown, type Attempt, type Candidate } from './attempt.ts';
import { coalesce } from './coalesce.ts';
import type { Message } from './message.ts';
import { openAttempts, type Refusal } from './open-attempts.ts';

/** Waits between tries of a call that met another transaction, or of a write whose connection broke. */
const RETRY_AFTER_MS = [50, 200, 1_000, 2_000];
const LAST_RETRY_AFTER_MS = 2_000;

/** Which errors a call outlasts. */
interface Insistence {
  /** After these it is repeated some times. */
  passing: ReadonlySet<string>;
  /** After these it is repeated for as long as this says. */
  lasting?: { codes: ReadonlySet<string>; remainingMs: () => number };
}

/** Rolled back for certain, so that it may be repeated. */
const BEGINNING: Insistence = { passing: new Set(['DATABASE_CONFLICT']) };
/** Perhaps done, but not twice: the first to arrive spends the token of the attempt. */
const FENCED = new Set([DATABASE_UNAVAILABLE]);
/** The database answers, but somebody holds what is to be written, or it has no room: the work done is worth a wait. */
const HELD_UP = new Set(['DATABASE_CONFLICT', 'DATABASE_TIMEOUT', 'DATABASE_EXHAUSTED']);

/** `stale` means that the attempt is no longer ours: somebody else has the job, and nothing was written. */
export interface Outcome {
  outcome: string;
  /** Failure code that was recorded, if any. */
  code?: string | null;
  /** An attempt at what comes next, opened together with the end of this one; it is ours to make. */
  next?: Attempt;
  /** The slot in which that is to be made, if not in the same as this one. */
  slot?: LentSlot;
}

/** A slot of another pool, idle until now, in which work goes on that came without a message. */
export interface LentSlot {
  /** To be called once that work is done: the slot waits for a message again. */
  giveBack(): void;
}

interface OutcomeRow {
  job_id: string;
  attempt: number;
  outcome: string;
  code?: string | null;
  next_attempt?: number | null;
  next_token?: string | null;
  next_ocr_version?: number | null;
  seconds?: number | null;
}
type Naming = { of: Attempt };
type Verifying = Naming & Verified & { slot?: LentSlot | undefined };

/** What the hash task found. */
export interface Verified {
  readonly deliveryId: string;
  readonly mediaType: string;
  readonly signatures: string | null;
}

/**
 * The commands of attempts, for one job each; calls at the same time travel together. Rejections are DocketErrors.
 * A write repeats itself for some seconds while the database is unreachable, and until the deadline of its attempt while
 * the database is held up, unless the lease is lost meanwhile.
 */
export interface AttemptCommands {
  /**
   * Opens an attempt; undefined when the task is not due: the wake-up was stale. A message whose reference is not good is
   * refused. Is not repeated when the connection broke: it may have opened an attempt that nobody knows of.
   */
  begin(task: string, message: Message): Promise<Attempt | Refusal | undefined>;
  /** The envelopes of the document, and what they and the scan of this delivery are judged by; none if the attempt is stale. */
  readEnvelopes(attempt: Attempt, deliveryId: string): Promise<commands.ReadEnvelopesRow[]>;
  /**
   * Fixes the delivery as the evidence, and records its signatures (JSON text; null where there are none). The database decides
   * whether they are what the document needs. Where a slot for recognition is idle, that is next, in this slot.
   */
  recordVerified(attempt: Attempt, found: Verified): Promise<Outcome>;
  /** Stores a result (JSON text) of an OCR configuration; the gates decide what it is worth. Publishing what is valid is next. */
  recordResult(attempt: Attempt, made: { config: Buffer; result: string }): Promise<Outcome>;
  publishResult(attempt: Attempt): Promise<Outcome>;
  /** Ends the attempt without success; the database decides whether it is tried again. */
  fail(attempt: Attempt, failure: { code: string; message: string }): Promise<Outcome>;
}

/**
 * Binds the commands to a lease; `lost` is aborted when the lease is. `lend` is asked for a slot for recognition whenever a document was
 * verified.
 */
export function createAttemptCommands(
  db: commands.Queryable,
  lease: { id: string; lost: AbortSignal },
  lend: () => Promise<LentSlot | undefined> = () => Promise.resolve(undefined),
): AttemptCommands {
  const beginners = new Map<string, (message: Message) => Promise<Attempt | Refusal | undefined>>();
  const beginnerOf = (task: string) => {
    const known = beginners.get(task) ?? coalesce((messages) => openAttempts(db, task, messages, lease.id));
    beginners.set(task, known);
    return known;
  };
  function write<Key extends Naming>(call: (keys: readonly Key[]) => Promise<readonly OutcomeRow[]>) {
    const coalesced = coalesce(async (keys: readonly Key[]) => {
      const askedMs = performance.now();
      return inOrder(keys, await call(keys), askedMs);
    });
    return (key: Key) => {
      const lasting = { codes: HELD_UP, remainingMs: () => key.of.remainingMs() };
      return insist(() => coalesced(key), { passing: FENCED, lasting }, lease.lost);
    };
  }

  const verified = write((keys: readonly Verifying[]) =>
    commands.recordVerified(db, {
      ...names(keys),
      deliveries: keys.map((key) => key.deliveryId),
      mediaTypes: keys.map((key) => key.mediaType),
      signatures: keys.map((key) => key.signatures),
      goesOn: keys.map((key) => key.slot !== undefined),
    }),
  );
  const extracted = write((keys: readonly (Naming & { config: Buffer; result: string })[]) =>
    commands.recordResults(db, {
      ...names(keys),
      configs: keys.map((key) => key.config),
      results: keys.map((key) => key.result),
      goesOn: true,
    }),
  );
  const published = write((keys: readonly Naming[]) => commands.publishResults(db, names(keys)));
  const failed = write((keys: readonly (Naming & { code: string; message: string })[]) =>
    commands.failAttempts(db, {
      ...names(keys),
      codes: keys.map((key) => key.code),
      messages: keys.map((key) => key.message),
    }),
  );

  return {
    begin: (task, message) => insist(() => beginnerOf(task)(message), BEGINNING, lease.lost),
    readEnvelopes: ({ jobId, attempt, token }, delivery) =>
      insist(() => commands.readEnvelopes(db, { jobId, attempt, token, delivery }), BEGINNING, lease.lost),
    async recordVerified(of, found) {
      // What is signed is judged first.
      const slot = found.signatures === null ? await lend() : undefined;
      let end: Outcome | undefined;
      try {
        end = await verified({ of, ...found, slot });
      } finally {
        if (end?.next === undefined) slot?.giveBack();
      }
      const { next } = end;
      if (next === undefined || slot === undefined) return end;
      return { ...end, slot, next: { ...next, candidates: evidenceFirst(of, found.deliveryId) } };
    },
    recordResult: (of, made) => extracted({ of, ...made }),
    publishResult: (of) => published({ of }),
    fail: (of, failure) => failed({ of, ...failure }),
  };
}

/** The places of a document in the order in which they are tried once its evidence is fixed. */
function evidenceFirst({ candidates }: Attempt, deliveryId: string): Attempt['candidates'] {
  const isEvidence = (one: Candidate) => one.deliveryId === deliveryId;
  return [...candidates.filter(isEvidence), ...candidates.filter((one) => !isEvidence(one))];
}

function names(keys: readonly Naming[]): { jobs: string[]; attempts: number[]; tokens: string[] } {
  return {
    jobs: keys.map((key) => key.of.jobId),
    attempts: keys.map((key) => key.of.attempt),
    tokens: keys.map((key) => key.of.token),
  };
}

function inOrder(keys: readonly Naming[], rows: readonly OutcomeRow[], askedMs: number): Outcome[] {
  const answers = new Map(rows.map((row) => [`${row.job_id} ${row.attempt}`, row]));
  return keys.map(({ of }) => {
    const row = answers.get(`${of.jobId} ${of.attempt}`);
    if (row === undefined) return { outcome: 'stale' };
    const { outcome, code, next_attempt: attempt, next_token: token, seconds } = row;
    const { jobId, sha256 } = of;
    return {
      outcome,
      ...(code && { code }),
      ...(attempt &&
        token && {
          next: {
            jobId,
            attempt,
            token,
            sha256,
            candidates: [],
            ocrVersion: row.next_ocr_version ?? undefined,
            remainingMs: countDown(seconds ?? 0, askedMs),
          },
        }),
    };
  });
}

/** Calls again after errors that may pass, unless the lease is lost. */
async function insist<Answer>(
  call: () => Promise<Answer>,
  { passing, lasting }: Insistence,
  lost: AbortSignal,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const failure = fromDatabase(error);
      const waitMs = RETRY_AFTER_MS[tries];
      const isWorthIt = lasting?.codes.has(failure.code)
        ? lasting.remainingMs() > 0
        : passing.has(failure.code) && waitMs !== undefined;
      if (lost.aborted || !isWorthIt) throw failure;
      await delay(waitMs ?? LAST_RETRY_AFTER_MS);
    }
  }
}
