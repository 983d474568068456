-- Removes what no rule set in use needs from the index, at most p_limit pages and ten times as many words at a time.
-- Called by: index_pages, under its lock. Not granted to anyone.
create or replace function docket.close_search_scopes(p_limit integer)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_scope integer := (
    select h.scope from docket.search_scopes h
    where h.scope <> all (select u.scope from docket.used_search_scopes() u)
    order by h.scope
    limit 1
  );
  v_pages integer;
  v_words integer;
begin
  if v_scope is null then
    return 0;
  end if;
  delete from docket.page_search s
  where s.page_search_id in (select o.page_search_id from docket.page_search o where o.scope = v_scope limit p_limit);
  get diagnostics v_pages = row_count;
  delete from docket.search_words w
  where (w.reader, w.word) in (
    select o.reader, o.word
    from docket.search_words o
    where o.reader >= docket.search_reader(v_scope, '') and o.reader < v_scope || '0'
    limit p_limit * 10
  );
  get diagnostics v_words = row_count;
  if v_pages + v_words = 0 then
    delete from docket.search_todo t where t.scope = v_scope;
    delete from docket.search_scopes h where h.scope = v_scope;
    return 1;
  end if;
  return v_pages + v_words;
end;
$$;
comment on function docket.close_search_scopes(integer) is
  'Removes some rows of a scope that is not in use any more; returns how many, 0 when there are none.';
