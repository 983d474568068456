-- Allows a rollback of the OCR configuration to begin by itself, when a rollback threshold is crossed within this time after an
-- activation; null: never. Whole seconds count.
-- Called by: operators. Effects: see change_control. Errors: ZD021 · ZD074 the time is not one that can be set.
create or replace function docket.allow_automatic_rollback(
  p_within interval,
  p_reason text
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- check
  if p_within not between interval '1 second' and interval '7 days' then
    raise exception 'within: % is not a span from 1 second to 7 days', p_within
      using errcode = 'ZD074', hint = 'State an interval such as 1 hour, or none.';
  end if;

  -- record
  return query
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control(
    'ocr',
    'automatic',
    case when p_within is not null then json_build_object('within', docket.span_text(p_within)) end,
    p_reason,
    null
  ) as c;
end;
$$;
comment on function docket.allow_automatic_rollback(interval, text) is
  'Allows a rollback to begin by itself within a time after an activation, or never. Raises ZD021, ZD074.';
