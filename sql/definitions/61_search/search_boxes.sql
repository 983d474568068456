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
  with counted as (
    select t.place, count(*) over (order by t.place) as word_no
    from unnest(p_tokens) with ordinality as t (token, place)
    where t.token <> '' and strpos(t.token, '█') = 0
  )
  select coalesce(json_agg(json_build_array(w.word -> 2, w.word -> 3, w.word -> 4, w.word -> 5) order by w.word_no), '[]')
  from json_array_elements(p_words) with ordinality as w (word, word_no)
  where json_array_length(p_words) = (select count(*) from counted)
    and w.word_no in (select c.word_no from counted c where c.place = any (p_marked))
$$;
comment on function docket.search_boxes(json, text[], integer[]) is
  'Boxes of the marked tokens: array of [x0, y0, x1, y1]; none where words and tokens do not correspond.';
