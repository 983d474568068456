-- Everything that can be set, and was set once or is there from the start, with its value now. A change is in force as long as it was
-- not undone, none was made after it but such as were undone, and what it set is what there is. Rates are told as decimal numbers of 15
-- digits: as floating-point ones they would be written as the session that asks has set it, and so into the log.
-- Called by: operators and auditors; why_halted; the commands that change or undo something read the value here and nowhere else.
create or replace view docket.control_states
as
with recursive present as (
  select 'pool' as control, p.pool as target,
    case
      when num_nonnulls(p.per_process, p.fleet) > 0 then json_build_object('per_process', p.per_process, 'fleet', p.fleet)
    end as value
  from docket.pool_limits p
  union all
  select 'limit', l.target,
    json_strip_nulls(
      json_build_object(
        'documents_per_minute', l.documents_per_minute::numeric, 'documents_burst', l.documents_burst,
        'pages_per_minute', l.pages_per_minute::numeric, 'pages_burst', l.pages_burst,
        'max_waiting', l.max_waiting, 'max_in_flight_mb', l.max_in_flight_mb, 'on_excess', l.on_excess
      )
    )
  from docket.flow_limits l
  union all
  select 'admission', g.target, to_json('closed'::text) from docket.admission_gates g
  union all
  select 'lane_rule', 'source:' || r.source_id || coalesce(' kind:' || r.document_kind, ''), to_json(r.lane) from docket.lane_rules r
  union all
  select 'window', l.lane, to_json(l.window_size) from docket.lanes l
  union all
  select 'source', 'source:' || s.source_id, to_json(s.is_enabled) from docket.sources s
  union all
  select 'slo', s.slo,
    json_build_object('warning', s.warning::numeric, 'breach', s.breach::numeric, 'rollback', s.rollback::numeric)
  from docket.slos s
  union all
  select 'ocr', o.target, o.value
  from docket.ocr_choice c
  cross join lateral (
    values
      ('active', json_build_object('version', c.active_version)),
      (
        'canary',
        case
          when c.canary_version is not null
            then json_build_object('version', c.canary_version, 'share', c.canary_share::numeric)
        end
      ),
      (
        'automatic',
        case when c.automatic_within is not null then json_build_object('within', docket.span_text(c.automatic_within)) end
      )
  ) as o (target, value)
),
-- what was ever changed, from one to the next in the index, however often each was
changed as (
  (
    select h.control, h.target from docket.changes h order by h.control, h.target limit 1
  )
  union all
  select n.control, n.target
  from changed d
  cross join lateral (
    select h.control, h.target
    from docket.changes h
    where (h.control, h.target) > (d.control, d.target)
    order by h.control, h.target
    limit 1
  ) as n
),
known as (
  select control, target, p.value
  from present p
  full join changed using (control, target)
)
select k.control, k.target, k.value, c.changed_at, c.changed_by, c.reason, c.expires_at, c.change_id
from known k
-- the newest one; where that undoes another, the newest before that one, as a change is undone before those that it was made upon
left join lateral (
  with recursive newest as (
    select 9223372036854775807 as before, null::bigint as change_id, null::json as new_value, null::timestamptz as changed_at,
      null::text as changed_by, null::text as reason, null::timestamptz as expires_at
    union all
    select h.undoes, h.change_id, h.new_value, h.changed_at, h.changed_by, h.reason, h.expires_at
    from newest n
    cross join lateral (
      select h.*
      from docket.changes h
      where (h.control, h.target, h.change_id) < (k.control, k.target, n.before)
      order by h.control desc, h.target desc, h.change_id desc
      limit 1
    ) as h
    where n.before is not null and h.control = k.control and h.target = k.target
  )
  select n.* from newest n where n.before is null
) as c on c.new_value::jsonb is not distinct from k.value::jsonb;
comment on view docket.control_states is
  'What limits, pools, lanes, admission, sources, objectives and the choice of OCR configurations are set to now, and by which change.';
comment on column docket.control_states.control is 'What is set: pool, limit, admission, lane_rule, window, source, ocr or slo.';
comment on column docket.control_states.target is 'Which one.';
comment on column docket.control_states.value is 'What it is set to; null: nothing is set.';
comment on column docket.control_states.changed_at is 'When it was set; null: as it was from the start.';
comment on column docket.control_states.changed_by is 'Who set it.';
comment on column docket.control_states.reason is 'Why, in words.';
comment on column docket.control_states.expires_at is 'When it is undone by itself; null: never.';
comment on column docket.control_states.change_id is 'The change that set it, by which it is undone.';
