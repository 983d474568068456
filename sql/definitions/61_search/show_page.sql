-- How a page is shown as a hit: the words that matched, the text around the first of them, and the boxes of all.
-- Called by: docket_api.search for the hits that are fetched. It shows a page in the scope of the caller, and only to those who
-- may see the document; so anybody may ask. Whoever searches the full text is shown what the active rules left of the page, and
-- of the words that matched those that are not masked: reading what is masked is an act of its own, docket.read_text.
create or replace function docket.show_page(
  p_scope integer,
  p_document uuid,
  p_attempt integer,
  p_page_no integer,
  p_words text[]
)
returns docket.shown_page
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_rule_set integer := coalesce(nullif(p_scope, 0), docket.active_rule_set());
  v_terms tsvector;
  v_page record;
  v_tokens text[];
  v_marked integer[];
  v_inside integer[];
  v_shown docket.shown_page;
begin
  if p_scope is distinct from docket.search_scope() or not exists (
    select from docket.document_sources d
    where d.job_id = p_document and d.source_id = any (array(select docket.visible_sources()))
  ) then
    return null;
  end if;
  v_terms := (
    select s.terms from docket.page_search s where s.job_id = p_document and s.scope = v_rule_set and s.page_no = p_page_no
  );
  select * into v_page from docket.search_page(v_rule_set, p_document, p_attempt, p_page_no);
  v_tokens := docket.page_tokens(v_page.text);

  with spans as materialized (
    select * from docket.search_spans(v_terms, p_words, v_tokens)
  )
  select
    array(select s.word from spans s group by s.word order by min(s.place), s.word),
    array(select distinct i from spans s, generate_series(s.place, s.place + s.width - 1) as i),
    array(select distinct i from spans s, generate_series(s.place + 1, s.place + s.width - 1) as i)
  into v_shown.matched, v_marked, v_inside;

  v_shown.snippet := docket.search_snippet(v_tokens, v_marked, v_inside);
  v_shown.boxes := docket.search_boxes(v_page.words, v_tokens, v_marked);
  return v_shown;
end;
$$;
comment on function docket.show_page(integer, uuid, integer, integer, text[]) is
  'How a page is shown as a hit: matched words, snippet and boxes. Null where the caller may not see it so.';
