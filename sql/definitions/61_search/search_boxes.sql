-- The words of a page are its tokens in order, without those that a mask touches. Where an engine counts otherwise, no box is
-- better than a wrong one. Called by: show_page. Not granted to anyone.
create or replace function docket.search_boxes(
  p_words json,
  p_tokens text[],
  p_marked integer[]
)
returns json
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  with missing as materialized (
    select t.place
    from unnest(p_tokens) with ordinality as t (token, place)
    where t.token = '' or strpos(t.token, '█') > 0
  ),
  words as materialized (
    select w.word, w.word_no from json_array_elements(p_words) with ordinality as w (word, word_no)
  )
  select coalesce(json_agg(json_build_array(w.word -> 2, w.word -> 3, w.word -> 4, w.word -> 5) order by w.word_no), '[]')
  from words w
  where w.word_no in (
      select m.place - (select count(*) from missing s where s.place < m.place) from unnest(p_marked) as m (place)
    )
    and (select count(*) from words) = cardinality(p_tokens) - (select count(*) from missing)
$$;
comment on function docket.search_boxes(json, text[], integer[]) is
  'Boxes of the marked tokens: array of [x0, y0, x1, y1]; none where words and tokens do not correspond.';
