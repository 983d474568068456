-- Reads a document that the caller sees as it was recognised. It is a mutation, because each reading is recorded.
-- Called by: evidence owners and auditors, through the gateway; with a login of their own they note the reading first.
-- Effects and errors: see docket.note_reading and docket.read_text.
create or replace function docket_api.read_text(
  document_id uuid,
  reason text
)
returns setof docket_api.unredacted_pages
language sql
volatile
set search_path = pg_catalog, pg_temp
begin atomic
  select from docket.note_reading(document_id, 'text', reason);
  select read_text.document_id, p.page_no, p.attempt, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees,
    p.verdict, p.confidence, p.text, p.words
  from docket.read_text(document_id) p;
end;
comment on function docket_api.read_text(uuid, text) is
  $$The pages of a document as recognised, nothing masked; the reading and its reason are recorded. Raises ZD020, ZD021, ZD030.
@resultFieldName pages$$;
