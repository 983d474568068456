-- Has documents that the caller sees kept longer than their kind.
-- Called by: evidence owners. Effects and errors: see docket.extend_retention; ZD020 also for what they do not see.
create or replace function docket_api.extend_retention(
  document_ids uuid[],
  retain_until timestamptz,
  reason text
)
returns setof docket_api.jobs
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_documents uuid[] := docket.require_seen(document_ids);
begin
  perform docket.extend_retention(v_documents, extend_retention.retain_until, reason);
  return query select j.* from docket_api.jobs j where j.job_id = any (v_documents);
end;
$$;
comment on function docket_api.extend_retention(uuid[], timestamptz, text) is
  $$Has documents kept until a later time than their kind is. Raises ZD020, ZD021, ZD030, ZD037.
@resultFieldName jobs$$;
