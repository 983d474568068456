-- Whether a legal hold keeps a document, whatever its retention says.
-- Called by: commands and views. The guard of the events counts for itself, in the log.
create or replace function docket.is_held(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from docket.legal_holds h where h.job_id = p_job_id and h.lifted_at is null)
$$;
comment on function docket.is_held(uuid) is 'Whether a legal hold is open on the document.';
