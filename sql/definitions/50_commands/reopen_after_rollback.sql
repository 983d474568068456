-- Last step of a rollback: admission is opened again, if the rollback closed it and nobody closed it for another reason since.
-- Called by: advance_rollback. Not granted to anyone. Effects: see change_control, take_back_readings.
create or replace function docket.reopen_after_rollback(p_rollback docket.rollbacks)
returns table (facts json, words text, waits_for text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_taken integer;
  v_is_ours boolean;
  v_is_closed boolean;
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  v_is_ours := exists (
    select
    from docket.control_states s
    where s.control = 'admission' and s.target = 'all' and s.change_id = p_rollback.closing_change
  );

  -- record
  update docket.rollbacks r
  set taken_back = r.taken_back + docket.take_back_readings(p_rollback.from_version, true)
  where r.rollback_id = p_rollback.rollback_id
  returning r.taken_back into v_taken;
  if v_is_ours then
    perform docket.change_control(
      'admission', 'all', null, format('Rollback %s is done.', p_rollback.rollback_id), null, p_rollback.closing_change,
      case when docket.acts_as('docket_worker') then 'controls_restored' else 'controls_changed' end
    );
  end if;
  v_is_closed := exists (select from docket.admission_gates g where g.target = 'all');
  return query
  select json_build_object('admission', case when v_is_closed then 'closed' else 'open' end, 'taken_back', v_taken),
    case
      when v_is_ours then 'Admission is open again.'
      when v_is_closed then 'Admission stays closed: it is not for the rollback that it is.'
      else 'Admission is open: somebody opened it before.'
    end,
    null::text;
end;
$$;
comment on function docket.reopen_after_rollback(docket.rollbacks) is
  'Last step of a rollback: opens admission again, if the rollback closed it.';
