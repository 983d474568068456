-- Kind that an evidence owner takes a document for, other than what its senders stated.
-- Called by: docket_api.documents, for those who may not read the amendments themselves.
create or replace function docket.amended_kind(p_job_id uuid)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.document_kind
  from docket.amendments a
  where a.job_id = p_job_id and a.document_kind is not null
  order by a.seq desc
  limit 1
$$;
comment on function docket.amended_kind(uuid) is 'Kind that an evidence owner takes the document for; null where nobody amended it.';
