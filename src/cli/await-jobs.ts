import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';

/** A job that came to rest. */
export interface EndedJob {
  readonly jobId: string;
  readonly state: 'published' | 'quarantined';
  /** Why it is quarantined. */
  readonly code: string | null;
}

const LOOK_EVERY_MS = 200;

/**
 * Waits until every job is published or quarantined, and no delivery of it waits to be noticed, which could wake it again.
 * Calls `onLook` after each look with those that ended newly and the number of those being recognised.
 * Rejects with the signal's reason when aborted.
 */
export async function awaitJobs(
  reader: Kysely<Database>,
  jobIds: readonly string[],
  options: { signal: AbortSignal; onLook: (ended: readonly EndedJob[], running: number) => void },
): Promise<Map<string, EndedJob>> {
  const open = new Set(jobIds);
  const ended = new Map<string, EndedJob>();
  for (;;) {
    options.signal.throwIfAborted();
    const { rows } = await sql<{ job_id: string; state: string; code: string | null; at_rest: boolean }>`
      select j.job_id, j.state, j.first_code as code,
        j.state in ('published', 'quarantined')
          and not exists (select from docket.arrivals a where a.job_id = j.job_id) as at_rest
      from docket.jobs j
      where j.job_id = any (${[...open]}::uuid[])
      order by j.state_at`.execute(reader);
    const news = rows
      .filter((row) => row.at_rest)
      .map(({ job_id: jobId, state, code }): EndedJob => {
        return state === 'published' ? { jobId, state, code: null } : { jobId, state: 'quarantined', code };
      });
    for (const job of news) {
      open.delete(job.jobId);
      ended.set(job.jobId, job);
    }
    options.onLook(news, rows.filter((row) => row.state === 'running').length);
    if (open.size === 0) return ended;
    await delay(LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
