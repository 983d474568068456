-- Opens a request for disposal for each document.
-- Called by: request_disposal, and end_retentions; with the jobs locked. Not granted to anyone.
-- Effects: disposals; the event given. Errors: ZD035 one is open already; those of the guard of the events.
create or replace function docket.ask_disposals(
  p_jobs uuid[],
  p_event text,
  p_reason text
)
returns table (job_id uuid, disposal_id bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_asked record;
  v_open uuid;
begin
  if p_jobs = '{}' then
    return;
  end if;

  -- record
  with asked as (
    insert into docket.disposals (job_id, reason, requested_by)
    select n.job_id, p_reason, docket.actor() from unnest(p_jobs) as n (job_id)
    on conflict (job_id) where decision is null do nothing
    returning disposals.job_id, disposals.disposal_id
  )
  select array_agg(a.job_id order by a.job_id) as jobs, array_agg(a.disposal_id order by a.job_id) as disposals,
    array_agg(json_build_object('disposal', a.disposal_id)::text order by a.job_id) as details
  into v_asked
  from asked a;

  -- check
  select n.job_id into v_open from unnest(p_jobs) as n (job_id) where n.job_id <> all (coalesce(v_asked.jobs, '{}')) limit 1;
  if found then
    raise exception 'job_id: the disposal of document % is asked for already', v_open
      using errcode = 'ZD035', hint = 'Approve it, or withdraw it.';
  end if;

  perform docket.record_custody(v_asked.jobs, p_event, p_reason, v_asked.details);
  return query select * from unnest(v_asked.jobs, v_asked.disposals);
end;
$$;
comment on function docket.ask_disposals(uuid[], text, text) is 'Opens a request for disposal for each document. Raises ZD035.';
