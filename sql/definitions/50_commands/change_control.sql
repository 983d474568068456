-- The one place where what operators set is changed: what was there before is kept, so that a change can be undone. Changes are made
-- one after the other. What a control writes stands in a function of its own (write_…), where it is more than a column.
-- Called by: the commands that set something, undo_change, end_expired_changes. Not granted to anyone. Returns the change.
-- Effects: the table of the control; changes; event controls_changed, or what p_event says, in the chain of the log.
-- Errors: ZD005 · ZD021 · ZD073 there is no such target · ZD074 the value or the time is not one that can be set · of OCR
-- configurations those of write_ocr_choice.
create or replace function docket.change_control(
  p_control text,
  p_target text,
  p_value json,
  p_reason text,
  p_for interval,
  p_undoes bigint default null,
  p_event text default 'controls_changed'
)
returns docket.changes
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_now timestamptz;
  v_until timestamptz;
  v_old json;
  v_new json;
  v_change docket.changes;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  perform docket.require_reason(p_reason, 'a change');
  v_problem := docket.control_problem(p_control, p_target, p_value);
  if v_problem is not null then
    raise exception 'target: %', v_problem
      using errcode = 'ZD073', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD073');
  end if;
  v_now := clock_timestamp();
  v_until := case when p_for <= interval '1 year' then v_now + p_for end;
  if p_for is not null and (v_until > v_now) is not true then
    raise exception 'for: % is not a positive span of at most a year', p_for
      using errcode = 'ZD074', hint = 'State an interval such as 2 hours, or none.';
  end if;
  v_old := (select s.value from docket.control_states s where s.control = p_control and s.target = p_target);

  -- record: the constraints of the tables say what can be set
  begin
    case p_control
      when 'pool' then
        update docket.pool_limits p
        set per_process = (p_value ->> 'per_process')::integer, fleet = (p_value ->> 'fleet')::integer
        where p.pool = p_target;
      when 'window' then
        update docket.lanes l set window_size = (p_value #>> '{}')::integer where l.lane = p_target;
      when 'source' then
        update docket.sources s set is_enabled = (p_value #>> '{}')::boolean where s.source_id = substring(p_target from '^source:(.*)$');
      when 'limit' then perform docket.write_flow_limit(p_target, p_value, v_now);
      when 'admission' then perform docket.write_admission_gate(p_target, p_value, p_reason);
      when 'lane_rule' then perform docket.write_lane_rule(p_target, p_value);
      when 'slo' then perform docket.write_slo(p_target, p_value);
      when 'ocr' then perform docket.write_ocr_choice(p_target, p_value, p_undoes is not null, v_now);
    end case;
  exception
    when check_violation or foreign_key_violation or not_null_violation or invalid_text_representation
      or numeric_value_out_of_range then
      get stacked diagnostics v_problem = constraint_name;
      raise exception '% of %: %', replace(p_control, '_', ' '), p_target, docket.control_bounds(v_problem)
        using errcode = 'ZD074', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD074');
  end;
  v_new := (select s.value from docket.control_states s where s.control = p_control and s.target = p_target);
  insert into docket.changes (control, target, old_value, new_value, reason, changed_by, changed_at, expires_at, undoes)
  values (p_control, p_target, v_old, v_new, p_reason, docket.actor(), v_now, v_until, p_undoes)
  returning * into v_change;
  perform docket.record_log_event(
    p_event,
    p_reason,
    json_build_object(
      'change', v_change.change_id, 'control', p_control, 'target', p_target, 'from', v_old, 'to', v_new,
      'until', docket.iso_time(v_until), 'undoes', p_undoes
    )
  );
  return v_change;
end;
$$;
comment on function docket.change_control(text, text, json, text, interval, bigint, text) is
  'Changes one limit, pool, lane, gate, source or OCR configuration and keeps what it was before. Raises ZD005, ZD021, ZD073, ZD074.';
