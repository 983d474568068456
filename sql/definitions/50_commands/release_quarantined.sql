-- Sends quarantined jobs back to admission, for a stated reason.
-- Called by: an evidence owner. Effects: event released. Errors: ZD002 a job is not quarantined · ZD020 · ZD021.
create or replace function docket.release_quarantined(
  p_jobs uuid[],
  p_reason text
)
returns table (job_id uuid, state text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_unknown uuid;
begin
  -- lock
  perform from docket.jobs j where j.job_id = any (p_jobs) order by j.job_id for no key update;

  -- check
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception 'reason: releasing a job from quarantine needs one'
      using errcode = 'ZD021', hint = 'Say why, in words.';
  end if;
  select n.job_id into v_unknown
  from unnest(p_jobs) as n (job_id)
  where not exists (select from docket.jobs j where j.job_id = n.job_id)
  limit 1;
  if found then
    raise exception 'job_id: there is no job %', v_unknown using errcode = 'ZD020', hint = 'Check the job id.';
  end if;

  -- record
  perform docket.record_events(
    p_jobs,
    array_fill('released'::text, array[cardinality(p_jobs)]),
    docket.actor(),
    array_fill(p_reason, array[cardinality(p_jobs)]),
    null,
    null,
    null
  );
  update docket.jobs j set first_code = null, last_code = null where j.job_id = any (p_jobs);

  -- enqueue
  perform docket.order_receipts_of(p_jobs);

  return query select j.job_id, j.state from docket.jobs j where j.job_id = any (p_jobs);
end;
$$;
comment on function docket.release_quarantined(uuid[], text) is
  'Sends quarantined jobs back to admission. Raises ZD002, ZD020, ZD021.';
