-- Finds pages for analysts, in what the active rule set left of them, and for evidence owners and auditors in the full text;
-- what a hit shows of its page is redacted for everybody.
-- A wrapper without rights of its own, and without settings: the planner opens it, so that what is only to be shown (matched,
-- snippet, boxes) is made for the hits that are fetched and for no others. What it calls checks the caller by itself.
-- Errors: ZD070.
create or replace function docket_api.search(
  query text,
  source_id text default null,
  document_kind text default null,
  from_date date default null,
  to_date date default null
)
returns setof docket_api.search_hits
language sql
stable
rows 100
begin atomic
  select
    h.document_id,
    h.page_no,
    h.sha256,
    h.source_id,
    h.document_kind,
    h.document_date,
    h.received_at,
    h.rank,
    h.is_exact,
    (h.shown).matched,
    (h.shown).snippet,
    (h.shown).boxes
  from (
    select f.*, docket.show_page(f.scope, f.document_id, f.attempt, f.page_no, f.words) as shown
    from docket.search_pages(query, search.source_id, search.document_kind, from_date, to_date) as f
    -- keeps the planner from showing a hit once for each column
    offset 0
  ) as h;
end;
comment on function docket_api.search(text, text, text, date, date) is
  'Pages that hold all the words of the query: exact matches first, then those with a damaged word.';
