-- Takes the rollback under way one step further: close, drain, restore, reopen. Each call is a transaction of its own, so that whoever
-- dies in a step leaves it undone, and the next one does it. A step that fails is recorded and tried again, later each time, up to a
-- minute; admission stays closed meanwhile.
-- Answers the step that is next, or done, what it waits for, if it did nothing, and whether that is because it failed; no row
-- where no rollback is under way, or somebody else is at it. Where workers are at work, an operator leaves them ten seconds for each step.
-- Called by: every worker process about twice a second while there is one; docket rollback, where no worker is at work.
-- Effects: those of the steps; rollbacks; events rollback_advanced, rollback_failed, rollback_pushed in the chain of the log.
create or replace function docket.advance_rollback()
returns table (rollback_id integer, step text, is_over boolean, waits_for text, has_failed boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_is_worker boolean := docket.acts_as('docket_worker');
  v_rollback docket.rollbacks;
  v_done record;
  v_next text;
  v_due_at timestamptz;
  v_problem text;
begin
  -- lock
  if not exists (select from docket.rollbacks r where r.ended_at is null) then
    return;
  end if;
  perform from docket.duties d where d.duty = 'rollback' for update skip locked;
  if not found then
    return;
  end if;
  select r.* into v_rollback from docket.rollbacks r where r.ended_at is null;
  if not found then
    return;
  end if;

  -- check
  v_due_at := greatest(
    v_rollback.failed_at + least(interval '1 s' * power(2, least(v_rollback.failures, 7) - 1), interval '1 min'),
    case
      when not v_is_worker and exists (
        select from docket.leases l where l.closed_at is null and l.deadline > clock_timestamp()
      ) then greatest(v_rollback.stepped_at, v_rollback.failed_at) + interval '10 s'
    end
  );
  if v_due_at > clock_timestamp() then
    return query
    select v_rollback.rollback_id, v_rollback.step, false,
      case when v_rollback.failed_at is null then 'a worker, which does it' else 'the next try: ' || v_rollback.failure end,
      v_rollback.failed_at is not null;
    return;
  end if;

  -- record
  begin
    case v_rollback.step
      when 'close' then select * into v_done from docket.close_for_rollback(v_rollback);
      when 'drain' then select * into v_done from docket.drain_for_rollback(v_rollback);
      when 'restore' then select * into v_done from docket.restore_for_rollback(v_rollback);
      when 'reopen' then select * into v_done from docket.reopen_after_rollback(v_rollback);
    end case;
    if v_done.waits_for is null then
      v_next := case v_rollback.step when 'close' then 'drain' when 'drain' then 'restore' when 'restore' then 'reopen' else 'done' end;
      update docket.rollbacks r
      set step = v_next, stepped_at = clock_timestamp(), failed_at = null, failure = null,
        ended_at = case when v_next = 'done' then clock_timestamp() end
      where r.rollback_id = v_rollback.rollback_id;
      perform docket.record_log_event(
        case when v_is_worker then 'rollback_advanced' else 'rollback_pushed' end,
        format('Rollback %s, %s: %s', v_rollback.rollback_id, v_rollback.step, v_done.words),
        (
          select json_object_agg(f.key, f.value order by f.place)
          from (
            select n.key, n.value, n.place
            from json_each(json_build_object('rollback', v_rollback.rollback_id, 'step', v_rollback.step))
              with ordinality as n (key, value, place)
            union all
            select n.key, n.value, 10 + n.place from json_each(v_done.facts) with ordinality as n (key, value, place)
          ) as f
        )
      );
    end if;
    return query
    select v_rollback.rollback_id, coalesce(v_next, v_rollback.step), v_next is not distinct from 'done', v_done.waits_for, false;
  exception
    when deadlock_detected or serialization_failure or lock_not_available then
      raise;
    when others then
      get stacked diagnostics v_problem = message_text;
      v_problem := left(v_problem, 500);
      update docket.rollbacks r
      set failures = r.failures + 1, failed_at = clock_timestamp(), failure = v_problem
      where r.rollback_id = v_rollback.rollback_id;
      -- once for each way to fail, not for each try
      if v_rollback.failure is distinct from v_problem then
        perform docket.record_log_event(
          case when v_is_worker then 'rollback_failed' else 'rollback_pushed' end,
          format('Rollback %s, %s failed, and is tried again: %s', v_rollback.rollback_id, v_rollback.step, v_problem),
          json_build_object('rollback', v_rollback.rollback_id, 'step', v_rollback.step, 'failure', v_problem)
        );
      end if;
      return query select v_rollback.rollback_id, v_rollback.step, false, 'the next try: ' || v_problem, true;
  end;
end;
$$;
comment on function docket.advance_rollback() is
  'Takes the rollback under way one step further. The step that is next, and what it waits for.';
