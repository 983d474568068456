-- Sets thresholds of an objective: seconds, or a share between 0 and 1. What p_value does not name stays as it is, a null in it takes that
-- threshold away. Fields: warning, breach, rollback.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.set_slo(
  p_slo text,
  p_value json,
  p_reason text,
  p_for interval default null
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_given jsonb;
  v_wrong text;
begin
  -- lock: what it is now stays so until it is changed
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  begin
    v_given := p_value::jsonb;
  exception
    when data_exception then
      raise exception 'thresholds: %', left(sqlerrm, 200)
        using errcode = 'ZD074', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD074');
  end;
  if jsonb_typeof(v_given) is distinct from 'object' or v_given = '{}' then
    raise exception 'thresholds: no threshold of % is stated', left(coalesce(p_slo, 'null'), 200)
      using errcode = 'ZD074', hint = 'State a warning, a breach or a rollback threshold. What is set now: docket slo list.';
  end if;
  select g.key
  into v_wrong
  from jsonb_each(v_given) as g (key, value)
  where g.key not in ('warning', 'breach', 'rollback') or jsonb_typeof(g.value) not in ('number', 'null')
  order by g.key
  limit 1;
  if v_wrong is not null then
    raise exception 'thresholds: "%" is %, which is no threshold', left(v_wrong, 100), left((v_given -> v_wrong)::text, 100)
      using errcode = 'ZD074', hint = 'State numbers, or null, as warning, breach or rollback. What is set now: docket slo list.';
  end if;

  -- record
  return query
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control(
    'slo',
    p_slo,
    (
      select (json_build_object('warning', s.warning, 'breach', s.breach, 'rollback', s.rollback)::jsonb || v_given)::json
      from (select) as one
      left join docket.slos s on s.slo = p_slo
    ),
    p_reason,
    p_for
  ) as c;
end;
$$;
comment on function docket.set_slo(text, json, text, interval) is
  'Sets thresholds of an objective; what is not named stays as it is. Raises ZD021, ZD073, ZD074.';
