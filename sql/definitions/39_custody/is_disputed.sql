-- Whether the newest replay of a document found that something about it is not what the log says.
-- Called by: commands and views.
create or replace function docket.is_disputed(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from docket.disputed_documents d where d.job_id = p_job_id)
$$;
comment on function docket.is_disputed(uuid) is 'Whether the document failed its newest replay.';
