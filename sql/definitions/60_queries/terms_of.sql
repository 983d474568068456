-- The lane of documents of a kind from a source, and what of the source is admitted: what a sender may know beforehand.
-- Called by: check_submission; senders, of their own sources. No row for other sources.
create or replace function docket.terms_of(
  p_source_id text,
  p_document_kind text
)
returns table (lane text, flow_limit json)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(docket.lane_of(v.source_id, p_document_kind), 'standard'),
    (
      select json_strip_nulls(json_build_object(
        'documents_per_minute', l.documents_per_minute,
        'documents_burst', l.documents_burst,
        'pages_per_minute', l.pages_per_minute,
        'pages_burst', l.pages_burst,
        'max_waiting', l.max_waiting,
        'on_excess', l.on_excess
      ))
      from docket.flow_limits l
      where l.source_id = v.source_id
    )
  from docket.visible_sources() as v (source_id)
  where v.source_id = p_source_id
$$;
comment on function docket.terms_of(text, text) is
  'Lane of documents of a kind from a source of the sender, and how much of the source is admitted.';
