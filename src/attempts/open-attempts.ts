import * as commands from '../db/commands.ts';
import { countDown, type Attempt } from './attempt.ts';
import type { Message } from './message.ts';
import { toCandidates } from './to-candidates.ts';

/**
 * Why a message was refused: a code of docket.failure_codes, which was recorded, if there is such a job; or DEPENDENCY_DOWN, and the
 * job is due again later.
 */
export interface Refusal {
  readonly refused: string;
}

/**
 * Opens attempts at a task for those of the jobs that are due and whose messages bear a good reference, under a lease; undefined
 * for the others, whose wake-up was stale. Of two messages for one job the second finds nothing to do.
 */
export async function openAttempts(
  db: commands.Queryable,
  task: string,
  messages: readonly Message[],
  lease: string,
): Promise<(Attempt | Refusal | undefined)[]> {
  const startedMs = performance.now();
  const rows = await commands.beginAttempts(db, {
    jobs: messages.map((message) => message.jobId),
    refs: messages.map((message) => message.ref),
    task,
    lease,
  });
  const answers = new Map(rows.map((row) => [row.message_no, row]));
  return messages.map((_, index) => {
    const row = answers.get(index + 1);
    if (row === undefined) return undefined;
    return row.code === null ? toAttempt(row, startedMs) : { refused: row.code };
  });
}

function toAttempt(row: commands.BeginAttemptsRow, startedMs: number): Attempt {
  return {
    jobId: row.job_id,
    attempt: row.attempt,
    token: row.token,
    sha256: row.sha256,
    candidates: toCandidates(row.candidates, row.sha256),
    ocrVersion: row.ocr_version ?? undefined,
    remainingMs: countDown(row.seconds, startedMs),
  };
}
