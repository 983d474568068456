-- Which signatures the documents of a source and kind need now: of the rows that fit the one that names the source comes first,
-- then the one that names the kind, then the newest. Where there is none, what cannot be read or was altered is refused: intact.
-- Called by: record_verified. Not granted to anyone.
create or replace function docket.envelope_policy(
  p_source_id text,
  p_document_kind text
)
returns docket.envelope_policies
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select p
      from docket.envelope_policies p
      where (p.source_id = p_source_id or p.source_id is null)
        and (p.document_kind = p_document_kind or p.document_kind is null)
      order by p.source_id is null, p.document_kind is null, p.envelope_policy_id desc
      limit 1
    ),
    row(null, null, null, 'intact', 1, 'Nothing else was set.', null, null)::docket.envelope_policies
  )
$$;
comment on function docket.envelope_policy(text, text) is
  'Which signatures the documents of a source and kind need now; intact where nothing was set.';
