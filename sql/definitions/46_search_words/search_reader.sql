-- Called by: what fills the index and what asks it. Not granted to anyone. Only the cast lets it be inlined.
create or replace function docket.search_reader(
  p_scope integer,
  p_source_id text
)
returns text
language sql
immutable
parallel safe
as $$
  select p_scope::text || '/' || p_source_id
$$;
comment on function docket.search_reader(integer, text) is
  'Mark of the pages that a source may see in a scope; of the source * that of all pages of the scope.';
