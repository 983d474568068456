-- What succeeded on a host shows that what it needed works there: its breakers close.
-- Called by: record_verified and pass_gates, which ask first whether there is any breaker. Not granted to anyone.
-- Effects: breakers, outages, events outage_ended. What began before the first failure shows nothing.
create or replace function docket.note_successes(
  p_jobs uuid[],
  p_attempts integer[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform docket.close_breaker(worked.dependency, worked.host, 'It works again.')
  from (
    select b.dependency, b.host
    from docket.breakers b
    where exists (
      select
      from unnest(p_jobs, p_attempts) as n (job_id, attempt)
      join docket.attempts a on a.job_id = n.job_id and a.attempt = n.attempt
      join docket.leases l on l.lease_id = a.lease_id
      where l.host = b.host and a.started_at >= b.first_failure_at and docket.depends_on(a.job_id, a.task, b.dependency)
    )
    order by b.dependency, b.host
    for update
  ) as worked;
end;
$$;
comment on function docket.note_successes(uuid[], integer[]) is 'Closes the breakers of what the named attempts showed to work.';
