-- Lifts legal holds from documents that the caller sees.
-- Called by: evidence owners. Effects and errors: see docket.lift_hold; ZD020 also for what they do not see.
create or replace function docket_api.lift_hold(
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
  perform docket.lift_hold(v_documents, matter, reason);
  return query
  select distinct on (h.document_id) h.*
  from docket_api.legal_holds h
  where h.document_id = any (v_documents) and h.matter = btrim(lift_hold.matter)
  order by h.document_id, h.legal_hold_id desc;
end;
$$;
comment on function docket_api.lift_hold(uuid[], text, text) is
  $$Lifts the legal hold for a matter, which another person has placed. Raises ZD020, ZD021, ZD033, ZD036.
@resultFieldName legalHolds$$;
