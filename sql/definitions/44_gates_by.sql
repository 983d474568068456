-- The gates of a kind of documents, as an OCR configuration has them that may differ in some: what is read differently may have to be
-- judged differently.
-- Called by: failed_gates. Not granted to anyone. Without settings of its own, so that it is inlined.
create or replace function docket.gates_by(
  p_document_kind text,
  p_ocr_version integer
)
returns table (
  document_kind text,
  min_pages integer,
  max_pages integer,
  min_characters integer,
  min_confidence real,
  required_patterns text[]
)
language sql
stable
as $$
  select k.document_kind, k.min_pages, k.max_pages, coalesce((o.gates ->> 'min_characters')::integer, k.min_characters),
    coalesce((o.gates ->> 'min_confidence')::real, k.min_confidence), k.required_patterns
  from docket.document_kinds k
  left join lateral (
    select v.gates -> k.document_kind as gates
    from docket.ocr_versions v
    where v.ocr_version = p_ocr_version and v.gates::text <> '{}'
  ) as o on true
  where k.document_kind = p_document_kind
$$;
comment on function docket.gates_by(text, integer) is 'The gates of a kind of documents, as an OCR configuration has them.';
