-- Whether a document was disposed of: nothing of it is left but the proof that it was there.
-- Called by: commands and views.
create or replace function docket.is_disposed(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from docket.disposals d where d.job_id = p_job_id and d.decision = 'approved')
$$;
comment on function docket.is_disposed(uuid) is 'Whether the document was disposed of.';
