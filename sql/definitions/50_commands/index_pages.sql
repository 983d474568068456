-- Brings the search index up to date: makes, makes again or removes the rows of documents that stand in search_todo.
-- Also opens the scope of a rule set that is wanted, and removes scopes that nobody uses any more, some rows at a time.
-- Called by: the search duty of the worker. One process at a time; another one does nothing.
-- Effects: documents with about p_limit pages, at least one.
create or replace function docket.index_pages(p_limit integer)
returns table (indexed_count integer, removed_count integer, is_more boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off -- what is looked up is a row or two
set jit = off
as $$
declare
  v_todo bigint[];
  v_scopes integer[];
  v_jobs uuid[];
begin
  if not exists (select from docket.search_todo)
    and not exists (
      select from docket.search_scopes h full join docket.used_search_scopes() u using (scope)
      where h.begun_at is null or u.scope is null
    )
  then
    return query select 0, 0, false;
    return;
  end if;

  -- lock
  perform from docket.duties d where d.duty = 'search' for update skip locked;
  if not found then
    return query select 0, 0, false;
    return;
  end if;

  -- scopes
  perform docket.open_search_scopes();
  removed_count := docket.close_search_scopes(p_limit);

  -- check
  select array_agg(t.todo_id order by t.todo_id), array_agg(t.scope order by t.todo_id), array_agg(t.job_id order by t.todo_id)
  into v_todo, v_scopes, v_jobs
  from (
    select t.todo_id, t.scope, t.job_id,
      sum(coalesce(n.pages, 1)) over (order by t.todo_id) - coalesce(n.pages, 1) as pages_before
    from (select * from docket.search_todo t order by t.todo_id limit p_limit) as t
    left join lateral (
      select max(r.page_count) as pages from docket.results r where r.job_id = t.job_id
    ) as n on true
  ) as t
  where t.pages_before < p_limit;

  -- record
  indexed_count := docket.index_documents(v_scopes, v_jobs);
  delete from docket.search_todo t where t.todo_id = any (v_todo);
  -- what a search would have to read from end to end
  perform gin_clean_pending_list('docket.page_search__terms_idx'::regclass) where indexed_count > 0;
  is_more := exists (select from docket.search_todo) or removed_count > 0;
  return next;
end;
$$;
comment on function docket.index_pages(integer) is
  'Brings the search index up to date for documents with about so many pages; says what it did and whether there is more.';
