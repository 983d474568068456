-- Finds pages.
create or replace function docket_api.search(
  query text,
  source_id text default null,
  document_kind text default null,
  from_date date default null,
  to_date date default null
)
returns setof docket_api.search_hits
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select * from docket_api.search_hits
$$;
comment on function docket_api.search(text, text, text, date, date) is
  'Pages that hold all the words of the query: exact matches first, then those with a damaged word.';
