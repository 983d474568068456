-- One replay, summed up so far.
-- Called by: operators, auditors. Errors: ZD057 there is no such replay.
create or replace function docket.replay_summary(p_replay_id integer)
returns setof docket.replay_summaries
language plpgsql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query select * from docket.replay_summaries s where s.replay_id = p_replay_id;
  if not found then
    raise exception 'replay_id: there is no replay %', coalesce(p_replay_id::text, 'null')
      using errcode = 'ZD057', hint = 'See docket replay list.';
  end if;
end;
$$;
comment on function docket.replay_summary(integer) is 'One replay, summed up so far. Raises ZD057.';
