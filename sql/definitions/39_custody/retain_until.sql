-- Until when a document is kept at least; null for one that was never verified: of that there is no evidence to keep.
-- Each source that sees it has it kept from the receipt of its own delivery, as was fixed when its bytes were seen to match. A
-- document that was amended is kept as the longest of its kinds, and an extension only ever lengthens.
-- Called by: the guard of the events, commands and views.
create or replace function docket.retain_until(p_job_id uuid)
returns timestamptz
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select greatest(
    (
      select max(coalesce(s.retain_until, docket.kept_until(s.document_kind, s.received_at)))
      from docket.document_sources s
      where s.job_id = p_job_id
    ),
    (select max(a.retain_until) from docket.amendments a where a.job_id = p_job_id),
    (select max(x.retain_until) from docket.retention_extensions x where x.job_id = p_job_id)
  )
$$;
comment on function docket.retain_until(uuid) is
  'Until when the document is kept at least; null where it was never verified and nobody extended it.';
