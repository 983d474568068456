-- Where words stand on a page: the first token of each, and how many tokens it reaches over, which is more than one for a code
-- whose parts stand apart. Called by: show_page. Not granted to anyone.
create or replace function docket.search_spans(
  p_terms tsvector,
  p_words text[],
  p_tokens text[]
)
returns table (word text, place integer, width integer)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select t.lexeme, p.place,
    case
      when length(p_tokens[p.place]) >= length(t.lexeme) then 1
      else 1 + (
        select count(*)::integer
        from (
          select sum(length(docket.bare_word(p_tokens[i]))) over (order by i) as characters
          from generate_series(p.place, p.place + 2) as i
        ) as so_far
        where so_far.characters < length(t.lexeme)
      )
    end
  from unnest(p_terms) as t
  cross join lateral unnest(t.positions) as p (place)
  where t.lexeme = any (p_words)
$$;
comment on function docket.search_spans(tsvector, text[], text[]) is
  'Places of words among the tokens of a page, and over how many tokens each reaches.';
