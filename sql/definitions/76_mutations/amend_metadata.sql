-- Adds to what the senders stated of documents that the caller sees.
-- Called by: evidence owners. Effects and errors: see docket.amend_metadata; ZD020 also for what they do not see.
create or replace function docket_api.amend_metadata(
  document_ids uuid[],
  document_kind text,
  note text,
  reason text
)
returns setof docket_api.amendments
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_documents uuid[] := docket.require_seen(document_ids);
begin
  perform docket.amend_metadata(v_documents, document_kind, note, reason);
  return query
  select distinct on (a.document_id) a.*
  from docket_api.amendments a
  where a.document_id = any (v_documents)
  order by a.document_id, a.seq desc;
end;
$$;
comment on function docket_api.amend_metadata(uuid[], text, text, text) is
  $$Adds to what senders stated: the kind that documents are to be taken for, or a note. Raises ZD015, ZD020, ZD021, ZD030, ZD039.
@resultFieldName amendments$$;
