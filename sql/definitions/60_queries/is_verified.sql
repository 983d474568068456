-- Whether the bytes of a document were ever seen to match, whoever delivered them.
-- Called by: policies, for jobs that a source made and does not see. Not granted to senders.
create or replace function docket.is_verified(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from docket.document_sources d where d.job_id = p_job_id)
$$;
comment on function docket.is_verified(uuid) is 'Whether a delivery of the document was verified, for whatever source.';
