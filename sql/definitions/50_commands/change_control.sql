-- The one place where limits, pools, lanes and admission are changed: what was there before is kept, so that a change can be undone.
-- Changes are made one after the other. A changed lane rule takes the waiting documents along, but those that an operator moved.
-- Called by: the commands that set something, undo_change, end_expired_changes. Not granted to anyone. Returns the change.
-- Effects: the table of the control; changes; event controls_changed, or what p_event says, in the chain of the log.
-- Errors: ZD005 · ZD021 · ZD073 there is no such target · ZD074 the value or the time is not one that can be set.
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
  v_source text := substring(p_target from '^source:([^ ]+)');
  v_kind text := substring(p_target from '^(?:source:[^ ]+ )?kind:([^ ]+)$');
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
  v_problem := case
    when p_target is null or p_control = 'pool' and not exists (select from docket.pool_limits p where p.pool = p_target)
      or p_control = 'window' and not exists (select from docket.lanes l where l.lane = p_target)
      or p_control in ('limit', 'admission', 'lane_rule') and p_target is distinct from case p_control
          when 'limit' then coalesce('source:' || v_source, 'all')
          when 'admission' then coalesce('source:' || v_source, 'kind:' || v_kind, 'all')
          else 'source:' || v_source || coalesce(' kind:' || v_kind, '')
        end
      then format('there is no %s "%s"',
        case p_control when 'pool' then 'pool' when 'window' then 'lane' else 'target' end, left(coalesce(p_target, 'null'), 200))
    when p_control in ('pool', 'window') then null
    when v_source is not null and not exists (select from docket.sources s where s.source_id = v_source)
      then format('there is no source "%s"', left(v_source, 200))
    when v_kind is not null and not exists (select from docket.document_kinds k where k.document_kind = v_kind)
      then format('there is no kind of document "%s"', left(v_kind, 200))
    when p_control = 'lane_rule' and p_value is not null
        and not exists (select from docket.lanes l where l.lane = p_value #>> '{}')
      then format('there is no lane "%s"', left(p_value #>> '{}', 200))
  end;
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
      when 'limit' then
        if p_value is null then
          delete from docket.flow_limits l where l.target = p_target;
        else
          insert into docket.flow_limits as l (target, source_id, documents_per_minute, documents_burst, pages_per_minute, pages_burst,
            max_waiting, max_in_flight_mb, on_excess, set_at)
          select p_target, v_source, n.documents_per_minute, n.documents_burst, n.pages_per_minute, n.pages_burst,
            n.max_waiting, n.max_in_flight_mb, n.on_excess, v_now
          from json_to_record(p_value) as n (documents_per_minute double precision, documents_burst integer,
            pages_per_minute double precision, pages_burst integer, max_waiting integer, max_in_flight_mb integer, on_excess text)
          on conflict (target) do update
          set documents_per_minute = excluded.documents_per_minute, documents_burst = excluded.documents_burst,
            pages_per_minute = excluded.pages_per_minute, pages_burst = excluded.pages_burst,
            max_waiting = excluded.max_waiting, max_in_flight_mb = excluded.max_in_flight_mb, on_excess = excluded.on_excess,
            set_at = excluded.set_at;
        end if;
      when 'admission' then
        if p_value is null then
          delete from docket.admission_gates g where g.target = p_target;
        else
          insert into docket.admission_gates as g (target, source_id, document_kind, closed_by, reason)
          values (p_target, v_source, v_kind, docket.actor(), p_reason)
          on conflict (target) do update set closed_by = excluded.closed_by, reason = excluded.reason;
        end if;
      when 'lane_rule' then
        if p_value is null then
          delete from docket.lane_rules r where r.source_id = v_source and r.document_kind is not distinct from v_kind;
        else
          insert into docket.lane_rules (source_id, document_kind, lane)
          values (v_source, v_kind, p_value #>> '{}')
          on conflict (source_id, document_kind) do update set lane = excluded.lane;
        end if;
        with waiting as materialized (
          select j.job_id, docket.lane_of(j.source_id, j.document_kind) as lane
          from docket.jobs j
          where j.source_id = v_source and (v_kind is null or j.document_kind = v_kind)
            and j.state = 'accepted' and j.next_task is null
            and j.lane is distinct from docket.lane_of(j.source_id, j.document_kind)
            and not exists (select from docket_audit.events e where e.job_id = j.job_id and e.event = 'prioritised')
          order by j.job_id
          for no key update
        )
        update docket.jobs j set lane = w.lane from waiting w where j.job_id = w.job_id;
    end case;
  exception
    when check_violation or foreign_key_violation or not_null_violation or invalid_text_representation
      or numeric_value_out_of_range then
      get stacked diagnostics v_problem = constraint_name;
      raise exception '% of %: %', replace(p_control, '_', ' '), p_target, case v_problem
          when 'pool_limits__are_counts' then 'slots are 0 to 1000 a process and 0 to 100000 in all'
          when 'lanes__window_is_positive' then 'a window is 1 document or more'
          when 'flow_limits__are_positive' then
            'rates are 0.001 to 1000000 a minute, bursts 1 to 1000000, documents that wait and memory 1 or more'
          when 'flow_limits__bursts_have_rates' then 'a burst goes with a rate, and a rate with a burst'
          when 'flow_limits__on_excess_is_known' then 'what is beyond the rate is deferred or rejected: defer or reject'
          else 'a number is not whole, or too large'
        end
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
  'Changes one limit, pool, lane or gate and keeps what it was before. Raises ZD005, ZD021, ZD073, ZD074.';
