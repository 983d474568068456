-- Whether what a source put at a place for a document outlives the disposal of it: nobody has seen the bytes of the document, and no
-- delivery of the source from there was noticed yet, or one is still to be noticed. A disposal of what nobody has seen is one of
-- what was delivered until then.
-- Called by: order_removals, erase_documents, disposed_documents.
create or replace function docket.outlives_disposal(p_job_id uuid, p_source_id text, p_locator text)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select not exists (select from docket.evidence e where e.job_id = p_job_id)
    and (
      select coalesce(bool_or(exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)), true)
      from docket.deliveries d
      where d.job_id = p_job_id and d.source_id = p_source_id and d.locator = p_locator
    )
$$;
comment on function docket.outlives_disposal(uuid, text, text) is
  'Whether what a source put at a place for a document outlives the disposal of it.';
