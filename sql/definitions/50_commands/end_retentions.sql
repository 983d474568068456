-- Asks for the disposal of published documents whose retention is over, oldest first, at most p_limit at a time. Nothing is
-- destroyed by it. What is on hold is not asked for, and neither is what was asked for since its retention ended: an evidence owner
-- who withdrew the request has decided.
-- Called by: every worker process; one at a time does it, the others return at once. Effects: disposals, event retention_ended.
create or replace function docket.end_retentions(p_limit integer)
returns table (job_id uuid, disposal_id bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_received_before timestamptz;
  v_jobs uuid[];
begin
  -- lock
  perform from docket.duties d where d.duty = 'retain' for update skip locked;
  if not found then
    return;
  end if;

  -- check: by the shortest rule there ever was, then each by its own
  select clock_timestamp() - min(r.retention) into v_received_before
  from (select r.retention from docket.retention_rules r union all values (interval '10 years')) as r;
  v_jobs := array(
    select s.job_id
    from docket.document_sources s
    join docket.jobs j on j.job_id = s.job_id
    where s.ordinal = 1 and s.received_at <= v_received_before and j.state = 'published' and docket.is_due_for_disposal(s.job_id)
    order by s.received_at, s.job_id
    limit p_limit
  );

  -- lock: what somebody holds waits for another time
  with held as materialized (
    select j.job_id from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update skip locked
  )
  select coalesce(array_agg(h.job_id), '{}') into v_jobs from held h;
  v_jobs := array(select n.job_id from unnest(v_jobs) as n (job_id) where docket.is_due_for_disposal(n.job_id));

  -- record
  return query
  select a.job_id, a.disposal_id
  from docket.ask_disposals(v_jobs, 'retention_ended', 'Its retention is over.') a;
end;
$$;
comment on function docket.end_retentions(integer) is
  'Asks for the disposal of published documents whose retention is over.';
