-- What the index keeps of a page: each word, its parts where punctuation splits it, and codes joined from their parts.
-- Called by: index_pages. Not granted to anyone.
create or replace function docket.search_terms(p_text text)
returns tsvector
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(string_agg(format('''%s'':%s', k.term, least(k.place, 16383)), ' '), '')::tsvector
  from (
    select t.place, t.word as term from docket.search_tokens(p_text) t
    union all
    select t.place, x.term
    from docket.search_tokens(p_text) t
    cross join unnest(t.parts || t.runs) as x (term)
    where x.term <> t.word and length(x.term) >= 2
  ) as k
$$;
comment on function docket.search_terms(text) is 'The words of a page and where they stand, as the search index keeps them.';
