-- Called by: search_pages and search_candidates. Not granted to anyone.
create or replace function docket.any_of(p_terms text[])
returns text
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select '(' || string_agg('''' || replace(replace(t, '\', '\\'), '''', '''''') || '''', ' | ') || ')' from unnest(p_terms) as t
$$;
comment on function docket.any_of(text[]) is 'Condition, as text of a tsquery, that one of the terms is there; null for none.';
