-- How near to each other and how often the words of a query stand on each page. Where as many as 200 match, no rank would tell
-- them apart for a reader, and all have 0: what was indexed last comes first then. The length of a page does not count:
-- it would tell of the marks of other sources.
-- Called by: search_pages. Not granted to anyone.
create or replace function docket.search_ranks(
  p_found bigint[],
  p_condition text,
  p_is_exact boolean
)
returns table (page_search_id bigint, rank real, is_exact boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select f.found,
    case
      when cardinality(p_found) >= 200 then 0
      else (select ts_rank_cd(s.terms, p_condition::tsquery) from docket.page_search s where s.page_search_id = f.found)
    end,
    p_is_exact
  from unnest(p_found) as f (found)
$$;
comment on function docket.search_ranks(bigint[], text, boolean) is
  'Rank of each page by nearness and number of the words; 0 for all where 200 or more match.';
