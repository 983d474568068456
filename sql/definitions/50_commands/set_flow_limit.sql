-- Limits how much of a source (source:X), or of all together (all), is admitted. What p_limit does not name stays as it is, a null in
-- it takes that limit away, and no p_limit takes all of them away; one without fields is refused. Where a rate is named without a burst for the first time, a
-- minute's worth may come at once.
-- Fields: documents_per_minute, documents_burst, pages_per_minute, pages_burst, max_waiting, max_in_flight_mb, and on_excess, which is
-- defer or reject.
-- Called by: operators. Effects and errors: see change_control.
create or replace function docket.set_flow_limit(
  p_target text,
  p_limit json,
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
  v_limit jsonb;
  v_wrong text;
  v_unit text;
begin
  -- lock: what it is now stays so until it is changed
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  begin
    v_given := nullif(p_limit::jsonb, 'null');
  exception
    when data_exception then
      raise exception 'limit: %', left(sqlerrm, 200)
        using errcode = 'ZD074', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD074');
  end;
  if v_given = '{}' then
    raise exception 'limit: no limit of % is stated', left(coalesce(p_target, 'null'), 200)
      using errcode = 'ZD074', hint = 'State one, or none at all to take all away: docket limit clear. What is set now: docket limit list.';
  end if;
  if v_given is not null then
    if jsonb_typeof(v_given) <> 'object' then
      raise exception 'limit: it is a JSON %, not an object', jsonb_typeof(v_given)
        using errcode = 'ZD074', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD074');
    end if;
    select g.key
    into v_wrong
    from jsonb_each(v_given) as g (key, value)
    where jsonb_typeof(g.value) <> 'null' and jsonb_typeof(g.value) is distinct from case
        when g.key = 'on_excess' then 'string'
        when g.key in (
          'documents_per_minute', 'documents_burst', 'pages_per_minute', 'pages_burst', 'max_waiting', 'max_in_flight_mb'
        ) then 'number'
      end
    limit 1;
    if found then
      raise exception 'limit: "%" is not a limit, or % is not a value of one', left(v_wrong, 200), left(v_given ->> v_wrong, 200)
        using errcode = 'ZD074', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD074');
    end if;
    v_limit := '{"on_excess": "defer"}' || jsonb_strip_nulls(
      coalesce((select s.value::jsonb from docket.control_states s where s.control = 'limit' and s.target = p_target), '{}')
      || v_given
    );
    foreach v_unit in array array['documents', 'pages'] loop
      if not v_limit ? (v_unit || '_per_minute') then
        v_limit := v_limit - (v_unit || '_burst');
      elsif not v_limit ? (v_unit || '_burst') then
        v_limit := v_limit || jsonb_build_object(v_unit || '_burst', ceil((v_limit ->> (v_unit || '_per_minute'))::numeric));
      end if;
    end loop;
  end if;

  -- record
  return query
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control(
    'limit', p_target, case when v_limit - 'on_excess' <> '{}' then v_limit::json end, p_reason, p_for
  ) as c;
end;
$$;
comment on function docket.set_flow_limit(text, json, text, interval) is
  'Limits how much of a source, or of all together, is admitted. Raises ZD021, ZD073, ZD074.';
