-- Says which jobs may not begin on a host, because what they need is down there, and wakes those later: soon where another host can do
-- them, else when the breaker is tried again. Of those that need what is to be tried, one may begin, and tries it.
-- Called by: begin_attempts, with the jobs locked, where a breaker of the host is not closed. Not granted to anyone.
-- Effects: breakers; times at which the jobs are due, and queue rows for then.
create or replace function docket.hold_back(
  p_jobs uuid[],
  p_attempts integer[],
  p_task text,
  p_host text
)
returns uuid[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_breaker docket.breakers;
  v_found uuid;
  v_probe_job uuid;
  v_needing uuid[];
  v_held uuid[] := '{}';
  v_until timestamptz := v_now;
begin
  -- lock: those that must not be tried yet first, so that what tries another is none that is held back by them
  for v_breaker in
    select * from docket.breakers b where b.host = p_host and b.state <> 'closed' order by b.probe_at desc, b.dependency for update
  loop
    -- check
    v_needing := array(
      select n.job_id from unnest(p_jobs) as n (job_id) where docket.depends_on(n.job_id, p_task, v_breaker.dependency)
    );
    if v_breaker.probe_at <= v_now then
      select n.job_id
      into v_found
      from unnest(v_needing) as n (job_id)
      where n.job_id <> all (v_held)
      order by n.job_id = v_probe_job desc nulls last
      limit 1;
      if found then
        v_probe_job := v_found;
        v_needing := array_remove(v_needing, v_probe_job);
        v_breaker.probe_at := v_now + interval '2 min';
        update docket.breakers b
        set state = 'probing', probe_job = v_probe_job, probe_attempt = p_attempts[array_position(p_jobs, v_probe_job)],
          probe_at = v_breaker.probe_at
        where b.dependency = v_breaker.dependency and b.host = p_host;
      end if;
    end if;
    if v_needing <> '{}' then
      v_held := v_held || v_needing;
      v_until := greatest(
        v_until,
        case
          when exists (
            select from docket.leases l
            where l.closed_at is null and l.deadline > v_now and l.host <> p_host and not exists (
              select from docket.breakers b where b.dependency = v_breaker.dependency and b.host = l.host and b.state <> 'closed'
            )
          ) then v_now + interval '1 s'
          else least(v_breaker.probe_at, v_now + interval '5 s')
        end
      );
    end if;
  end loop;

  -- record, enqueue
  v_held := array(select distinct n.job_id from unnest(v_held) as n (job_id));
  if v_held <> '{}' then
    update docket.jobs j set due_at = v_until + interval '1 s' * random() where j.job_id = any (v_held);
    perform docket.wake_jobs(array_agg(j.job_id), array_agg(p_task), array_agg(j.due_at))
    from docket.jobs j
    where j.job_id = any (v_held);
  end if;
  return v_held;
end;
$$;
comment on function docket.hold_back(uuid[], integer[], text, text) is
  'Says which jobs may not begin on a host because of an outage, and wakes them later.';
