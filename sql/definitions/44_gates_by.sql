-- The gates of a kind of documents, but for those that an OCR configuration has of its own (docket.ocr_versions.gates; null: none): what
-- is read differently may have to be judged differently.
-- Called by: failed_gates. Not granted to anyone. Without settings of its own, so that it is inlined; offset 0 has each gate worked out once.
create or replace function docket.gates_by(
  p_document_kind text,
  p_gates json
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
  select k.document_kind, k.min_pages, k.max_pages,
    coalesce((p_gates -> k.document_kind ->> 'min_characters')::integer, k.min_characters),
    coalesce((p_gates -> k.document_kind ->> 'min_confidence')::real, k.min_confidence), k.required_patterns
  from docket.document_kinds k
  where k.document_kind = p_document_kind
  offset 0
$$;
comment on function docket.gates_by(text, json) is
  'The gates of a kind of documents, but for those that an OCR configuration has of its own.';
