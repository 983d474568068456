-- Which of the words that were looked for stand on a page. Null where the caller may not see the page in this scope.
-- Called by: docket_api.search for the hits that are asked for, and what shows them. Anybody may ask: it checks by itself.
create or replace function docket.search_matched(
  p_scope integer,
  p_document uuid,
  p_page_no integer,
  p_words text[]
)
returns text[]
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select w
    from unnest(p_words) with ordinality as a (w, place)
    where s.terms @@ docket.any_of(array[w])::tsquery
    group by w
    order by min(place)
  )
  from docket.page_search s
  where s.scope = p_scope
    and s.job_id = p_document
    and s.page_no = p_page_no
    and p_scope = docket.search_scope()
    and exists (
      select from docket.document_sources d
      where d.job_id = p_document and d.source_id = any (array(select docket.visible_sources()))
    )
$$;
comment on function docket.search_matched(integer, uuid, integer, text[]) is
  'Those of the words that stand on the page, as the caller may see it.';
