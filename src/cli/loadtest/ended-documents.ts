import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { FinishedDocument } from '../../domain/loadtest/level.ts';

/** A document that came to rest: what is to be known of it where it was published, undefined where it is quarantined. */
export interface EndedDocument {
  readonly jobId: string;
  readonly finished: FinishedDocument | undefined;
}

/** Those of the jobs that are published or quarantined by now, in the order in which they came to that. */
export async function endedDocuments(
  reader: Kysely<Database>,
  jobIds: readonly string[],
): Promise<EndedDocument[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<{
    job_id: string;
    state: string;
    age: number;
    pages: number | null;
    dpi: number | null;
    recognition: number | null;
  }>`
    select j.job_id, j.state, extract(epoch from j.state_at - j.accepted_at)::float8 as age, r.page_count as pages,
      (select percentile_disc(0.5) within group (order by p.dpi) from docket.pages p
        where p.job_id = r.job_id and p.result_sha256 = r.result_sha256)::float8 as dpi,
      (select extract(epoch from a.ended_at - a.started_at)::float8 from docket.attempts a
        where a.job_id = r.job_id and a.attempt = r.attempt) as recognition
    from docket.jobs j
    left join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
    where j.job_id = any (${[...jobIds]}::uuid[]) and j.state in ('published', 'quarantined')
    order by j.state_at, j.job_id`.execute(reader);
  return rows.map(({ job_id: jobId, state, age, pages, dpi, recognition }) => ({
    jobId,
    finished:
      state === 'published'
        ? { pages: pages ?? 0, dpi: dpi ?? 0, ageSeconds: age, recognitionSeconds: recognition ?? 0 }
        : undefined,
  }));
}
