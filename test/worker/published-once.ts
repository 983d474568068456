import assert from 'node:assert/strict';

type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** What became of documents that were acknowledged. */
export interface Fates {
  /** Not there, or not published. */
  readonly lost: number;
  /** Published, recognised or verified more than once, or with more than one result. */
  readonly doubled: number;
}

/** How many of the jobs are not there, or not published. */
const NOT_PUBLISHED = `select count(*)::int from unnest($1::uuid[]) as n (job_id)
  where not exists (select from docket.jobs j where j.job_id = n.job_id and j.state = 'published')`;

/** Counts, and asserts that the whole record verifies and that no message of the queue stays locked. */
export async function fatesOf(ask: Ask, jobs: readonly string[]): Promise<Fates> {
  const [counts] = await ask<Fates>(
    `select
       (${NOT_PUBLISHED}) as lost,
       (select count(*)::int from (
          -- what was released from quarantine is verified and recognised anew, once each; it is published once in all
          select from docket_audit.events e
          cross join lateral (
            select count(*) from docket_audit.events r
            where r.job_id = e.job_id and r.seq < e.seq and r.event = 'released' and e.event <> 'published'
          ) as releases
          where e.event in ('verified', 'extracted', 'published') group by e.job_id, e.event, releases.count having count(*) > 1
          union all
          select from docket.results group by job_id having count(*) > 1
        ) as doubled) as doubled`,
    [jobs],
  );
  const checks = await ask<{ checked: string; failed_count: string }>('select * from docket.verify_all()');
  assert.ok(checks.length > 0);
  assert.deepEqual(
    checks.filter((row) => row.failed_count !== '0'),
    [],
  );
  assert.deepEqual(
    await ask('select task_id from graphile_worker._private_jobs where locked_at is not null'),
    [],
  );
  return { ...counts! };
}

/** Whether all of the jobs are published. */
export async function arePublished(ask: Ask, jobs: readonly string[]): Promise<boolean> {
  const [left] = await ask<{ count: number }>(NOT_PUBLISHED, [jobs]);
  return left!.count === 0;
}
