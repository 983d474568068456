-- Second step of a rollback: waits until nothing is read by the withdrawn OCR configuration any more; once the time for that is over, what
-- is left is taken back. It also waits for transactions that may still begin an attempt by what was chosen before, but no longer; and a
-- document that somebody keeps locked holds it up for a minute more, and is taken back in a later step, if it can be.
-- Called by: advance_rollback, again and again. Not granted to anyone. Effects: rollbacks; see take_back_readings. Answers what it waits
-- for; null, with facts and words, where it is done.
create or replace function docket.drain_for_rollback(p_rollback docket.rollbacks)
returns table (facts json, words text, waits_for text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_over boolean := clock_timestamp() >= p_rollback.drain_until;
  v_taken integer := coalesce(p_rollback.taken_back, 0);
  v_open bigint;
begin
  -- record
  v_taken := v_taken + docket.take_back_readings(p_rollback.from_version, v_is_over);
  update docket.rollbacks r
  set taken_back = v_taken, begun_before = coalesce(r.begun_before, pg_snapshot_xmax(pg_current_snapshot()))
  where r.rollback_id = p_rollback.rollback_id;

  -- check
  select count(*) into v_open from docket.open_readings(p_rollback.from_version);
  return query
  select json_build_object('taken_back', v_taken),
    case v_taken
      when 0 then format('Nothing is being read by OCR configuration %s any more.', p_rollback.from_version)
      when 1 then format('1 document was taken back from OCR configuration %s.', p_rollback.from_version)
      else format('%s documents were taken back from OCR configuration %s.', v_taken, p_rollback.from_version)
    end,
    case
      when v_open > 0 and clock_timestamp() < p_rollback.drain_until + interval '1 minute' then
        format('%s being read by OCR configuration %s', case v_open when 1 then '1 document' else v_open || ' documents' end,
          p_rollback.from_version)
      when not v_is_over and (pg_snapshot_xmin(pg_current_snapshot()) >= p_rollback.begun_before) is not true then
        'transactions that began before'
    end;
end;
$$;
comment on function docket.drain_for_rollback(docket.rollbacks) is
  'Second step of a rollback: waits for what is being read by the withdrawn OCR configuration, then takes it back.';
