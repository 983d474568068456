-- Counts failures of what other documents need too, by host, and opens the breaker when it is an outage: three failures or more without
-- a success between, of as many documents as the code asks for. An attempt that tried an open breaker in vain has the next one wait
-- longer, up to half a minute; one that ended without showing anything is followed by another.
-- Called by: settle_failures. Not granted to anyone. Effects: breakers, outages, events outage_began and outage_ended.
create or replace function docket.note_failures(p_failed docket.failed_attempt[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_failed record;
  v_breaker docket.breakers;
  v_outage bigint;
begin
  for v_failed in
    select f.job_id, f.attempt, f.code, f.message, l.host, a.started_at, c.dependency, c.outage_documents, c.answered, c.meaning
    from unnest(p_failed) as f
    join docket.failure_codes c on c.code = f.code
    join docket.attempts a on a.job_id = f.job_id and a.attempt = f.attempt
    join docket.leases l on l.lease_id = a.lease_id
    where c.dependency is not null or exists (select from docket.breakers b where b.host = l.host)
    order by f.job_id
  loop
    -- what it shows to work
    perform docket.close_breaker(b.dependency, b.host, 'It works again.')
    from docket.breakers b
    where b.host = v_failed.host and b.dependency = any (v_failed.answered) and b.first_failure_at <= v_failed.started_at;

    -- what it shows to fail, unless it is left over from an outage that ended
    if v_failed.dependency is not null and not exists (
      select from docket.outages o
      where o.dependency = v_failed.dependency and o.host = v_failed.host and o.ended_at >= v_failed.started_at
    ) then
      insert into docket.breakers as b (dependency, host, failures, jobs, first_failure_at, last_code, last_message)
      values (
        v_failed.dependency, v_failed.host, 1, array[v_failed.job_id], v_now, v_failed.code, left(v_failed.message, 500)
      )
      on conflict (dependency, host) do update set
        failures = b.failures + 1,
        jobs = case when v_failed.job_id = any (b.jobs) or cardinality(b.jobs) >= 10 then b.jobs else b.jobs || v_failed.job_id end,
        last_code = excluded.last_code,
        last_message = excluded.last_message
      returning * into v_breaker;
      if v_breaker.state = 'closed' and v_breaker.failures >= 3 and cardinality(v_breaker.jobs) >= v_failed.outage_documents then
        update docket.breakers b
        set state = 'open', probe_at = v_now + interval '2 s'
        where b.dependency = v_breaker.dependency and b.host = v_breaker.host;
        insert into docket.outages (dependency, host, began_at, opened_at, code)
        values (v_breaker.dependency, v_breaker.host, v_breaker.first_failure_at, v_now, v_failed.code)
        returning outage_id into v_outage;
        perform docket.record_log_event(
          'outage_began',
          v_failed.meaning,
          json_build_object(
            'outage', v_outage, 'dependency', v_breaker.dependency, 'host', v_breaker.host, 'code', v_failed.code,
            'began_at', docket.iso_time(v_breaker.first_failure_at), 'failures', v_breaker.failures
          )
        );
      end if;
    end if;

    -- what it tried in vain
    update docket.breakers b
    set state = 'open', probe_job = null, probe_attempt = null,
      probes = case when b.dependency = v_failed.dependency then b.probes + 1 else b.probes end,
      probe_at = case
        when b.dependency = v_failed.dependency then v_now + least(interval '2 s' * power(2, least(b.probes + 1, 10)), interval '30 s')
        else v_now
      end
    where b.host = v_failed.host and b.state = 'probing' and b.probe_job = v_failed.job_id and b.probe_attempt = v_failed.attempt;
  end loop;
end;
$$;
comment on function docket.note_failures(docket.failed_attempt[]) is
  'Counts failures of what other documents need too, and opens breakers.';
