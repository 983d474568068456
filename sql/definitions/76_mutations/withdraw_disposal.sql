-- Withdraws requests for the disposal of documents that the caller sees.
-- Called by: evidence owners. Effects and errors: see docket.withdraw_disposal; ZD020 also for what they do not see.
create or replace function docket_api.withdraw_disposal(
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
  perform docket.withdraw_disposal(v_documents, reason);
  return query
  select distinct on (d.document_id) d.*
  from docket_api.disposals d
  where d.document_id = any (v_documents)
  order by d.document_id, d.disposal_id desc;
end;
$$;
comment on function docket_api.withdraw_disposal(uuid[], text) is
  $$Withdraws requests for the disposal of documents, whoever asked. Raises ZD020, ZD021, ZD030, ZD034.
@resultFieldName disposals$$;
