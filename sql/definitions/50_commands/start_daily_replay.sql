-- Starts the daily replay, when the one before was a day ago and has ended: as many documents of all sources as docket.replay_plan
-- says. The first comes a day after the installation.
-- Called by: every worker process, now and then; one at a time. Effects: replay_runs, replay_tasks.
create or replace function docket.start_daily_replay()
returns table (replay_id integer, population bigint, sample integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_plan docket.replay_plan;
  v_last docket.replay_runs;
begin
  -- lock
  perform from docket.duties d where d.duty = 'replay' for update skip locked;
  if not found then
    return;
  end if;

  -- check
  select * into v_plan from docket.replay_plan;
  select * into v_last from docket.replay_runs r where r.is_daily order by r.replay_id desc limit 1;
  if v_plan.daily_count = 0
    or coalesce(v_last.started_at, (select min(m.applied_at) from docket.migrations m)) > clock_timestamp() - interval '1 day'
    or v_last.replay_id is not null and v_last.ended_at is null then
    return;
  end if;

  -- record, enqueue
  return query
  select *
  from docket.begin_replay(null, v_plan.daily_count, null, null, null, v_plan.is_reread, true, 'The daily replay.');
end;
$$;
comment on function docket.start_daily_replay() is 'Starts the daily replay when it is time: as many documents as docket.replay_plan says.';
