-- Quarantines those of the documents that lack the signatures which their sources need. To try again would be no use.
-- Called by: record_verified, with the jobs locked. Not granted to anyone.
-- Effects: event quarantined; first and last code of the jobs.
create or replace function docket.refuse_for_signatures(p_jobs uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refused record;
begin
  -- check
  select array_agg(j.job_id) as jobs, array_agg(j.attempt) as attempts, array_agg(f.code) as codes,
    array_agg(f.meaning) as reasons,
    array_agg(json_build_object('task', 'hash', 'code', f.code, 'first_code', coalesce(j.first_code, f.code))::text) as details
  into v_refused
  from (select n.job_id, docket.signature_refusal(n.job_id) as code from unnest(p_jobs) as n (job_id)) as r
  cross join lateral (select * from docket.jobs j where j.job_id = r.job_id limit 1) as j
  join docket.failure_codes f on f.code = r.code;
  if v_refused.jobs is null then
    return;
  end if;

  -- record
  update docket.jobs j
  set first_code = coalesce(j.first_code, n.code), last_code = n.code
  from unnest(v_refused.jobs, v_refused.codes) as n (job_id, code)
  where j.job_id = n.job_id;
  perform docket.record_events(
    v_refused.jobs,
    array_fill('quarantined'::text, array[cardinality(v_refused.jobs)]),
    docket.actor(),
    v_refused.reasons,
    v_refused.codes,
    v_refused.attempts,
    v_refused.details
  );
end;
$$;
comment on function docket.refuse_for_signatures(uuid[]) is
  'Quarantines documents that lack the signatures which their sources need.';
