-- Says how many published documents are replayed each day without being asked for, and whether their text is recognised anew.
-- Called by: operators. Effects: replay_plan. Errors: ZD056 the count is not between 0 and 100000.
create or replace function docket.set_replay_plan(
  p_daily_count integer,
  p_is_reread boolean
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  if (p_daily_count between 0 and 100000) is not true then
    raise exception 'daily_count: % is not between 0 and 100000', coalesce(p_daily_count::text, 'null')
      using errcode = 'ZD056', hint = 'State how many documents a day; 0 for none.';
  end if;

  -- record
  update docket.replay_plan
  set daily_count = p_daily_count, is_reread = coalesce(p_is_reread, false), set_at = clock_timestamp(), set_by = docket.actor();
end;
$$;
comment on function docket.set_replay_plan(integer, boolean) is
  'Says how many published documents are replayed each day, and whether they are read anew. Raises ZD056.';
