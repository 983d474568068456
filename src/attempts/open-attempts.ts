import * as commands from '../db/commands.ts';
import type { Attempt } from './attempt.ts';

/**
 * Opens attempts at a task for those of the jobs that are due, under a lease; undefined for the others. Of two wake-ups for
 * one job the second finds nothing to do.
 */
export async function openAttempts(
  db: commands.Queryable,
  task: string,
  jobs: readonly string[],
  lease: string,
): Promise<(Attempt | undefined)[]> {
  const startedMs = performance.now();
  const rows = await commands.beginAttempts(db, { jobs: [...new Set(jobs)], task, lease });
  const due = new Map(rows.map((row) => [row.job_id, row]));
  return jobs.map((jobId) => {
    const row = due.get(jobId);
    due.delete(jobId);
    return row && toAttempt(row, startedMs);
  });
}

function toAttempt(row: commands.BeginAttemptsRow, startedMs: number): Attempt {
  const budgetMs = row.seconds * 1000;
  const marginMs = Math.min(2_000, budgetMs / 10);
  return {
    jobId: row.job_id,
    attempt: row.attempt,
    token: row.token,
    sha256: row.sha256,
    candidates: (row.candidates as CandidateJson[]).map((candidate) => ({
      deliveryId: String(candidate.delivery_id),
      locator: candidate.locator,
      version: candidate.version,
      sizeBytes: candidate.size_bytes,
      documentKind: candidate.document_kind,
    })),
    remainingMs: () => Math.max(0, Math.floor(startedMs + budgetMs - marginMs - performance.now())),
  };
}

interface CandidateJson {
  delivery_id: number | string;
  locator: string;
  version: string | null;
  size_bytes: number;
  document_kind: string;
}
