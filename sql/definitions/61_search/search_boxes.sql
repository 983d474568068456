-- Called by: docket_api.search for the hits that are asked for. Anybody may ask: search_matched answers for the caller only.
create or replace function docket.search_boxes(
  p_scope integer,
  p_document uuid,
  p_attempt integer,
  p_page_no integer,
  p_words text[]
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with page as (
      select m.matched, p.words
      from docket.search_matched(p_scope, p_document, p_page_no, p_words) as m (matched)
      cross join docket.search_page(p_scope, p_document, p_attempt, p_page_no) p
      where m.matched <> '{}'
    ),
    tokens as (
      select t.place, t.word, t.parts, t.runs, page.matched
      from page
      cross join lateral docket.search_tokens(
        (select string_agg(regexp_replace(e ->> 0, '\s', '', 'g'), ' ' order by place)
         from json_array_elements(page.words) with ordinality as w (e, place))
      ) as t
    ),
    places as (
      select t.place from tokens t where t.word = any (t.matched) or t.parts && t.matched
      union
      -- the words that make up a code
      select n.place
      from tokens t
      cross join unnest(t.runs) as r (run)
      join tokens n on n.place >= t.place and n.place < t.place + 4
      where r.run = any (t.matched)
        and (select sum(length(b.word)) from tokens b where b.place >= t.place and b.place <= n.place) <= length(r.run)
    )
    select coalesce(json_agg(json_build_array(w.e -> 2, w.e -> 3, w.e -> 4, w.e -> 5) order by w.place), '[]')
    from page
    cross join lateral json_array_elements(page.words) with ordinality as w (e, place)
    where w.place in (select p.place from places p)
  );
end;
$$;
comment on function docket.search_boxes(integer, uuid, integer, integer, text[]) is
  'Boxes of the matched words of a page: array of [x0, y0, x1, y1].';
