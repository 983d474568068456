-- Refuses an act on documents of which who acts does not see every one, as if those were not there. The documents, each once.
-- Called by: the mutations of docket_api, whose commands ask for no sources. Errors: ZD020.
create or replace function docket.require_seen(p_documents uuid[])
returns uuid[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_documents uuid[] := array(select distinct n.job_id from unnest(p_documents) as n (job_id));
  v_unknown uuid;
begin
  select n.job_id into v_unknown
  from unnest(v_documents) as n (job_id)
  where not docket.sees_job(n.job_id)
  limit 1;
  if found then
    raise exception 'document_ids: there is no document %', v_unknown using errcode = 'ZD020', hint = 'Check the id.';
  end if;
  return v_documents;
end;
$$;
comment on function docket.require_seen(uuid[]) is 'The documents, each once, if who acts sees all of them. Raises ZD020.';
