-- The lane of documents of a kind from a source: the rule for both, else the rule of the source, else the lane of the kind.
-- Null is the standard lane, so that most documents need nothing stored. Without rights of its own, so that it is inlined.
-- Called by: accept_deliveries, record_verified, change_control and terms_of.
create or replace function docket.lane_of(
  p_source_id text,
  p_document_kind text
)
returns text
language sql
stable
as $$
  select nullif(
    coalesce(
      (select r.lane from docket.lane_rules r where r.source_id = p_source_id and r.document_kind = p_document_kind),
      (select r.lane from docket.lane_rules r where r.source_id = p_source_id and r.document_kind is null),
      (select k.lane from docket.document_kinds k where k.document_kind = p_document_kind)
    ),
    'standard'
  )
$$;
comment on function docket.lane_of(text, text) is 'Lane of documents of a kind from a source; null is the standard one.';
