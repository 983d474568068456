-- Words that differ from one by what recognition damages: a character that is another, missing, too many, read as two, or
-- swapped with the next. Letters that look like digits do not count. Codes of six characters have neighbours, and other words of
-- five where the caller wants them too; at most 20. Only words of the given readers are looked at, in the index already: what
-- others may see neither takes their place nor shows through.
-- Called by: search_pages. Not granted to anyone.
create or replace function docket.search_neighbours(
  p_word text,
  p_readers text[],
  p_all_words boolean
)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_indexscan = off
set jit = off
as $$
declare
  v_folded text := docket.fold_word(p_word);
  v_length integer := length(v_folded);
begin
  if length(p_word) > 40 or length(p_word) < 5 or p_word ~ '[0-9]' and length(p_word) < 6
    or p_word !~ '[0-9]' and not p_all_words then
    return;
  end if;
  return query
  select n.word
  from (
    select distinct w.word, w.folded = v_folded as is_look_alike, length(w.word) = length(p_word) as is_as_long
    from (
      select v_folded as pattern
      union
      select overlay(v_folded placing '%' from i for 1) from generate_series(1, v_length) as i
      union
      select overlay(v_folded placing reverse(substr(v_folded, i, 2)) from i for 2) from generate_series(1, v_length - 1) as i
    ) as p
    cross join lateral (
      select s.word, s.folded
      from docket.search_words s
      where array[s.reader] && p_readers
        and s.folded like p.pattern
        and length(s.folded) between v_length - 1 and v_length + 1
    ) as w
    where w.word <> p_word
  ) as n
  order by n.is_look_alike desc, n.is_as_long desc, n.word
  limit 20;
end;
$$;
comment on function docket.search_neighbours(text, text[], boolean) is
  'Words of the readers that may be the given one, damaged: the likeliest first.';
