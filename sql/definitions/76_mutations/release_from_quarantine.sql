-- Sends quarantined documents back to admission, if the caller sees all of them: it reads with the rights of the caller.
-- Called by: evidence owners. Effects and errors: see docket.release_quarantined; ZD020 also for what they do not see.
create or replace function docket_api.release_from_quarantine(
  document_ids uuid[],
  reason text
)
returns setof docket_api.jobs
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_jobs uuid[] := array(select distinct n.job_id from unnest(document_ids) as n (job_id));
  v_unknown uuid;
begin
  select n.job_id into v_unknown
  from unnest(v_jobs) as n (job_id)
  where not exists (select from docket_api.jobs j where j.job_id = n.job_id)
  limit 1;
  if found then
    raise exception 'document_ids: there is no document %', v_unknown using errcode = 'ZD020', hint = 'Check the id.';
  end if;

  perform docket.release_quarantined(v_jobs, reason);
  return query select j.* from docket_api.jobs j where j.job_id = any (v_jobs);
end;
$$;
comment on function docket_api.release_from_quarantine(uuid[], text) is
  $$Sends quarantined documents back to admission, for a stated reason. Raises ZD002, ZD020, ZD021.
@resultFieldName jobs$$;
