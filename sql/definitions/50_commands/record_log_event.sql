-- Records an event of no document, in the chain of the log itself, one after the other.
-- Called by: declare_recovery; what changes limits, pools, lanes and admission; what notices outages. Not granted to anyone.
-- Errors: ZD005 the caller is of another role.
create or replace function docket.record_log_event(
  p_event text,
  p_reason text,
  p_detail json
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_log uuid := '00000000-0000-0000-0000-000000000000';
  v_role name := (select t.actor_role from docket.job_transitions t where t.from_state = 'none' and t.event = p_event);
  v_actor text := docket.actor();
  v_at timestamptz;
  v_last record;
begin
  -- lock: workers that note an outage wait for it too
  perform from docket.duties d where d.duty = 'log' for update;
  perform docket.end_if_left_open();

  -- check
  if not docket.acts_as(v_role) then
    raise exception '"%" may not record event "%": it belongs to %', v_actor, p_event, v_role
      using errcode = 'ZD005', hint = 'Ask a member of that role.';
  end if;

  -- record
  select e.seq, e.hash, e.at into v_last from docket_audit.events e where e.job_id = v_log order by e.seq desc limit 1;
  v_at := greatest(clock_timestamp(), v_last.at);
  insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, detail, prev, hash)
  select v_log, n.seq, 'none', p_event, 'none', v_at, v_actor, p_reason, p_detail::text, v_last.hash,
    docket_audit.event_hash(
      v_log, n.seq, 'none', p_event, 'none', v_at, v_actor, p_reason, null, null, p_detail::text, v_last.hash
    )
  from (select coalesce(v_last.seq, 0) + 1 as seq) as n;
end;
$$;
comment on function docket.record_log_event(text, text, json) is
  'Records an event of no document, in the chain of the log itself. Raises ZD005.';
