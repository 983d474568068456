-- Destroys documents that the caller sees and whose disposal another person, or the end of their retention, asked for.
-- Called by: evidence owners. Effects and errors: see docket.approve_disposal; ZD020 also for what they do not see.
create or replace function docket_api.approve_disposal(
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
  perform docket.approve_disposal(v_documents, reason);
  return query
  select distinct on (d.document_id) d.*
  from docket_api.disposals d
  where d.document_id = any (v_documents)
  order by d.document_id, d.disposal_id desc;
end;
$$;
comment on function docket_api.approve_disposal(uuid[], text) is
  $$Destroys documents for good, if another person, or the end of their retention, asked for it: text, key, signer and salt. Raises ZD020, ZD021, ZD030, ZD031, ZD032, ZD033, ZD034.
@resultFieldName disposals$$;
