-- Whether a document was disposed of: nothing of it is left but the proof that it was there. A scan whose bytes nobody had seen is
-- not any more, once it was delivered again.
-- Called by: commands and views.
create or replace function docket.is_disposed(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from docket.disposals d where d.job_id = p_job_id and d.decision = 'approved' and d.outlived_at is null
  )
$$;
comment on function docket.is_disposed(uuid) is 'Whether the document was disposed of.';
