-- Restores what a change replaced, if it is the one in force: a later change counts also where it set the same, since somebody else may
-- have had a reason of their own. The undoing is a change itself.
-- Called by: operators. Effects: see change_control.
-- Errors: ZD021 · ZD075 it was undone already, is the undoing of another, or what it set was changed since · ZD077 no such change.
create or replace function docket.undo_change(
  p_change bigint,
  p_reason text
)
returns table (change_id bigint, control text, target text, previous json, restored json)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_done docket.changes;
  v_problem text;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  select c.* into v_done from docket.changes c where c.change_id = p_change;
  if not found then
    raise exception 'change: there is no change %', coalesce(p_change::text, 'null')
      using errcode = 'ZD077', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD077');
  end if;
  v_problem := case
    when v_done.undoes is not null then format('it is the undoing of change %s', v_done.undoes)
    when exists (select from docket.changes u where u.undoes = p_change) then 'it was undone already'
    when not exists (
      select
      from docket.control_states s
      where s.control = v_done.control and s.target = v_done.target and s.change_id = p_change
    ) then 'what it set was changed since'
  end;
  if v_problem is not null then
    raise exception 'change % of % %: %', p_change, replace(v_done.control, '_', ' '), v_done.target, v_problem
      using errcode = 'ZD075', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD075');
  end if;

  -- record
  return query
  select c.change_id, c.control, c.target, c.old_value, c.new_value
  from docket.change_control(v_done.control, v_done.target, v_done.old_value, p_reason, null, p_change) as c;
end;
$$;
comment on function docket.undo_change(bigint, text) is
  'Restores what a change replaced, if it is the one in force. Raises ZD021, ZD075, ZD077.';
