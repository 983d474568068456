-- Called by: what fills the index and what asks it. Not granted to anyone.
create or replace function docket.search_era(p_page_search_id bigint)
returns bigint
language sql
immutable
parallel safe
as $$
  select p_page_search_id / 8192
$$;
comment on function docket.search_era(bigint) is 'Era of a row in the search index: 8,192 rows make one.';
