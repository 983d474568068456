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
  select coalesce(json_agg(json_build_array(w.word -> 2, w.word -> 3, w.word -> 4, w.word -> 5) order by m.place), '[]')
  from (
    select coalesce(array_agg(t.place), '{}') as places
    from unnest(p_tokens) with ordinality as t (token, place)
    where t.token = '' or strpos(t.token, '█') > 0
  ) as missing
  cross join unnest(p_marked) as m (place)
  cross join lateral (
    select p_words -> (m.place - 1 - (select count(*) from unnest(missing.places) as p where p < m.place))::integer as word
  ) as w
  where json_array_length(p_words) = cardinality(p_tokens) - cardinality(missing.places)
$$;
comment on function docket.search_boxes(json, text[], integer[]) is
  'Boxes of the marked tokens: array of [x0, y0, x1, y1]; none where words and tokens do not correspond.';
