-- Asks for the destruction of documents that the caller sees.
-- Called by: evidence owners. Effects and errors: see docket.request_disposal; ZD020 also for what they do not see.
create or replace function docket_api.request_disposal(
  document_ids uuid[],
  reason text
)
returns setof docket_api.disposals
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_documents uuid[] := docket.require_seen(document_ids);
begin
  perform docket.request_disposal(v_documents, reason);
  return query
  select distinct on (d.document_id) d.*
  from docket_api.disposals d
  where d.document_id = any (v_documents)
  order by d.document_id, d.disposal_id desc;
end;
$$;
comment on function docket_api.request_disposal(uuid[], text) is
  $$Asks for the destruction of documents, published or quarantined, whose retention is over; another person has to approve. Raises ZD002, ZD020, ZD021, ZD030, ZD031, ZD032, ZD035.
@resultFieldName disposals$$;
