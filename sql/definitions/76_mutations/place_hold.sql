-- Places a legal hold on documents that the caller sees.
-- Called by: evidence owners. Effects and errors: see docket.place_hold; ZD020 also for what they do not see.
create or replace function docket_api.place_hold(
  document_ids uuid[],
  matter text,
  reason text
)
returns setof docket_api.legal_holds
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_documents uuid[] := docket.require_seen(document_ids);
begin
  perform docket.place_hold(v_documents, matter, reason);
  return query
  select distinct on (h.document_id) h.*
  from docket_api.legal_holds h
  where h.document_id = any (v_documents) and h.matter = btrim(place_hold.matter)
  order by h.document_id, h.legal_hold_id desc;
end;
$$;
comment on function docket_api.place_hold(uuid[], text, text) is
  $$Places a legal hold for a matter: while it is open the documents cannot be disposed of. Raises ZD020, ZD021, ZD030, ZD035.
@resultFieldName legalHolds$$;
