-- Begins a rollback of the OCR configuration, for a stated reason. What is being read by it may end within p_drain, and is then taken
-- back. Workers do the steps; see advance_rollback.
-- Called by: operators. Effects: rollbacks; event rollback_ordered in the chain of the log.
-- Errors: ZD021 · ZD074 the time to drain cannot be set · ZD091 one is under way · ZD092 there is none to go back to.
create or replace function docket.start_rollback(
  p_reason text,
  p_drain interval default '2 minutes'
)
returns table (rollback_id integer, from_version integer, to_version integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_drain interval := coalesce(p_drain, '2 minutes');
begin
  -- check
  perform docket.require_reason(p_reason, 'a rollback');
  if v_drain not between interval '0' and interval '1 day' then
    raise exception 'drain: % is not a span of at most a day', p_drain
      using errcode = 'ZD074', hint = 'State an interval such as 2 minutes.';
  end if;

  -- lock, record
  return query
  select r.rollback_id, r.from_version, r.to_version from docket.begin_rollback('rollback_ordered', p_reason, v_drain) as r;
end;
$$;
comment on function docket.start_rollback(text, interval) is
  'Begins a rollback of the OCR configuration. Raises ZD021, ZD074, ZD091, ZD092.';
