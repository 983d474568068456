-- Third step of a rollback: the restored OCR configuration reads, the other is withdrawn for good. After that of the active one, the
-- restored one is the last known good one too; that of a canary leaves it as it was.
-- Called by: advance_rollback. Not granted to anyone. Effects: ocr_choice, ocr_withdrawals, changes, rollbacks; see take_back_readings.
-- Errors: ZD094 the engine is down by it wherever a worker is.
create or replace function docket.restore_for_rollback(p_rollback docket.rollbacks)
returns table (facts json, words text, waits_for text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from integer := p_rollback.from_version;
  v_to integer := p_rollback.to_version;
  v_was docket.ocr_choice;
  v_is docket.ocr_choice;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;
  select c.* into v_was from docket.ocr_choice c for update;

  -- check
  if docket.engine_fails_by(v_to) then
    raise exception 'the engine is down on every host with a worker, by OCR configuration % too', v_to
      using errcode = 'ZD094', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD094');
  end if;

  -- record
  update docket.rollbacks r
  set taken_back = coalesce(r.taken_back, 0) + docket.take_back_readings(v_from, true)
  where r.rollback_id = p_rollback.rollback_id;
  update docket.ocr_choice c
  set active_version = v_to,
    known_good_version = case when v_from in (c.active_version, c.known_good_version) then v_to else c.known_good_version end,
    canary_version = null,
    canary_share = null,
    rollback_to = null,
    activated_at = clock_timestamp()
  returning * into v_is;
  insert into docket.ocr_withdrawals (ocr_version, reason, withdrawn_by)
  values (v_from, p_rollback.reason, p_rollback.ordered_by)
  on conflict (ocr_version) do nothing;
  -- who asks what is set sees by what it was
  insert into docket.changes (control, target, old_value, new_value, reason, changed_by)
  select 'ocr', n.target, n.old_value, n.new_value, format('Rollback %s: %s', p_rollback.rollback_id, left(p_rollback.reason, 900)),
    docket.actor()
  from (
    values
      (
        1, v_was.canary_version is not null, 'canary',
        json_build_object('version', v_was.canary_version, 'share', v_was.canary_share::numeric), null::json
      ),
      (
        2, v_was.active_version <> v_to, 'active', json_build_object('version', v_was.active_version),
        json_build_object('version', v_to)
      )
  ) as n (place, is_changed, target, old_value, new_value)
  where n.is_changed
  order by n.place;
  return query
  select json_build_object('active', v_is.active_version, 'known_good', v_is.known_good_version, 'withdrawn', v_from),
    format('OCR configuration %s reads all documents. Configuration %s is withdrawn.', v_to, v_from),
    null::text;
end;
$$;
comment on function docket.restore_for_rollback(docket.rollbacks) is
  'Third step of a rollback: chooses the restored OCR configuration and withdraws the other. Raises ZD094.';
