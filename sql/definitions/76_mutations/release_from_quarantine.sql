-- Sends quarantined documents back to admission, if the caller sees all of them.
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
  v_jobs uuid[] := docket.require_seen(document_ids);
begin
  perform docket.release_quarantined(v_jobs, reason);
  return query select j.* from docket_api.jobs j where j.job_id = any (v_jobs);
end;
$$;
comment on function docket_api.release_from_quarantine(uuid[], text) is
  $$Sends quarantined documents back to admission, for a stated reason. Raises ZD002, ZD020, ZD021.
@resultFieldName jobs$$;
