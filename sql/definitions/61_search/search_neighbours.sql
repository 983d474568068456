-- Words that differ from one by what recognition damages: a character that is another, missing, too many, read as two, or
-- swapped with the next. Letters that look like digits do not count. Codes of six characters have neighbours, and other words of
-- five where the caller wants them too; at most 20. Wherever the damage is, one half of the word is whole: it is looked up in the
-- vocabulary of each reader, so that words of others neither take the place of a neighbour nor show through.
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
set enable_bitmapscan = off
set jit = off
as $$
declare
  c_last constant text := chr(1114111);
  v_folded text := docket.fold_word(p_word);
  v_length integer := length(v_folded);
  -- where two characters across the middle are swapped, the end without them is still whole
  v_start text := left(v_folded, v_length / 2);
  v_end text := left(reverse(v_folded), v_length - v_length / 2 - 1);
  v_patterns text[];
begin
  if length(p_word) > 40 or length(p_word) < 5 or p_word ~ '[0-9]' and length(p_word) < 6
    or p_word !~ '[0-9]' and not p_all_words then
    return;
  end if;
  v_patterns := v_folded
    || array(select overlay(v_folded placing '%' from i for 1) from generate_series(1, v_length) as i)
    || array(select overlay(v_folded placing reverse(substr(v_folded, i, 2)) from i for 2) from generate_series(1, v_length - 1) as i);
  return query
  select n.word
  from (
    select w.word, w.folded
    from docket.search_words w
    where w.reader = any (p_readers)
      and w.folded >= v_start and w.folded < v_start || c_last
      and length(w.folded) between v_length - 1 and v_length + 1
      and w.folded like any (v_patterns)
    union
    select w.word, w.folded
    from docket.search_words w
    where w.reader = any (p_readers)
      and reverse(w.folded) >= v_end and reverse(w.folded) < v_end || c_last
      and length(w.folded) between v_length - 1 and v_length + 1
      and w.folded like any (v_patterns)
  ) as n
  where n.word <> p_word
  order by n.folded = v_folded desc, length(n.word) = length(p_word) desc, n.word
  limit 20;
end;
$$;
comment on function docket.search_neighbours(text, text[], boolean) is
  'Words of the readers that may be the given one, damaged: the likeliest first.';
