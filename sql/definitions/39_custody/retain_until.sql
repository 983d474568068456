-- Until when a document is kept at least; null for one that was never verified: of that there is no evidence to keep.
-- Each source that sees it has it kept from the receipt of its own delivery, by the rule for the kind that was in force then.
-- A document that was amended is kept as the longest of its kinds, and an extension only ever lengthens.
-- Counted in UTC, so that the time zone of a session does not move it.
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
      select max(
        (
          s.received_at at time zone 'UTC' + coalesce(
            (
              select r.retention
              from docket.retention_rules r
              where r.document_kind = k.document_kind and r.since <= s.received_at
              order by r.since desc
              limit 1
            ),
            interval '10 years'
          )
        ) at time zone 'UTC'
      )
      from docket.document_sources s
      cross join lateral (
        select s.document_kind
        union
        select a.document_kind from docket.amendments a where a.job_id = s.job_id and a.document_kind is not null
      ) as k
      where s.job_id = p_job_id
    ),
    (select max(x.retain_until) from docket.retention_extensions x where x.job_id = p_job_id)
  )
$$;
comment on function docket.retain_until(uuid) is
  'Until when the document is kept at least; null where it was never verified and nobody extended it.';
