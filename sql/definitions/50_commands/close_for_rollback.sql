-- First step of a rollback: admission is closed to all, unless it is, and what begins from now on is read by the OCR configuration that
-- will be restored.
-- Called by: advance_rollback. Not granted to anyone. Effects: see change_control; ocr_choice, rollbacks. Answers what was done, as facts
-- and in words.
create or replace function docket.close_for_rollback(p_rollback docket.rollbacks)
returns table (facts json, words text, waits_for text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_change bigint;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;

  -- record
  update docket.ocr_choice c set rollback_to = p_rollback.to_version;
  if not exists (select from docket.admission_gates g where g.target = 'all') then
    select c.change_id
    into v_change
    from docket.change_control(
      'admission', 'all', to_json('closed'::text), format('Rollback %s: %s', p_rollback.rollback_id, left(p_rollback.reason, 900)), null,
      null, case when docket.acts_as('docket_worker') then 'admission_closed' else 'controls_changed' end
    ) as c;
  end if;
  update docket.rollbacks r set closing_change = v_change where r.rollback_id = p_rollback.rollback_id;
  return query
  select json_build_object('change', v_change, 'read_by', p_rollback.to_version),
    format(
      'Admission %s closed. What begins now is read by OCR configuration %s.',
      case when v_change is null then 'was already' else 'is' end, p_rollback.to_version
    ),
    null::text;
end;
$$;
comment on function docket.close_for_rollback(docket.rollbacks) is
  'First step of a rollback: closes admission, and has what begins read by the restored OCR configuration.';
