-- Which code says why quarantined documents were stopped, and so what would help: of failures that came too often the first one, or the one
-- that came last where the first says something of the way and the last does not. `path` are the codes that went before, in words; null
-- where the code stands alone.
-- Called by: what_holds, why_source. Not granted to anyone.
create or replace function docket.stopping_codes(p_jobs uuid[])
returns table (job_id uuid, code text, path text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select j.job_id,
    case
      when j.last_code <> 'RETRY_EXHAUSTED' then j.last_code
      when f.is_transport and not l.is_transport then l.code
      else j.first_code
    end,
    case when j.first_code <> j.last_code then concat_ws(' and at last ', j.first_code, nullif(l.code, j.first_code)) end
  from docket.jobs j
  left join docket.failure_codes f on f.code = j.first_code
  left join lateral (
    select e.detail::json ->> 'code' as code
    from docket_audit.events e
    where j.last_code = 'RETRY_EXHAUSTED' and e.job_id = j.job_id and e.event = 'quarantined'
    order by e.seq desc
    limit 1
  ) as e on true
  left join docket.failure_codes l on l.code = e.code
  where j.job_id = any (p_jobs) and j.state = 'quarantined'
$$;
comment on function docket.stopping_codes(uuid[]) is 'Which code says why quarantined documents were stopped.';
