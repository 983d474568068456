-- What the index keeps of a page: each word, its parts where punctuation splits it, and codes joined from their parts.
-- Of a page, the first 100,000 characters: Postgres takes no more than a megabyte of words in one value, and a page that it does
-- not take would keep all others from the index.
-- Called by: index_documents. Not granted to anyone. Without settings of its own, so that it is inlined.
create or replace function docket.search_terms(p_text text)
returns table (terms tsvector)
language sql
immutable
parallel safe
as $$
  select coalesce(string_agg(format('''%s'':%s', x.term, least(t.place, 16383)), ' '), '')::tsvector
  from docket.search_tokens(left(p_text, 100000)) t
  cross join lateral unnest(array[t.word] || t.parts || t.runs) as x (term)
  where length(x.term) >= 2 or x.term = t.word
$$;
comment on function docket.search_terms(text) is 'The words of a page and where they stand, as the search index keeps them.';
