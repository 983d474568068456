-- Closes the breaker of a dependency on a host, and ends the outage if it was one.
-- Called by: note_successes, note_failures and reap. Not granted to anyone. Effects: event outage_ended.
create or replace function docket.close_breaker(
  p_dependency text,
  p_host text,
  p_reason text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_breaker docket.breakers;
  v_outage docket.outages;
begin
  delete from docket.breakers b where b.dependency = p_dependency and b.host = p_host returning * into v_breaker;
  update docket.outages o
  set ended_at = clock_timestamp()
  where o.dependency = p_dependency and o.host = p_host and o.ended_at is null
  returning * into v_outage;
  if found then
    perform docket.record_log_event(
      'outage_ended',
      p_reason,
      json_build_object(
        'outage', v_outage.outage_id, 'dependency', p_dependency, 'host', p_host, 'code', v_outage.code,
        'began_at', docket.iso_time(v_outage.began_at), 'failures', v_breaker.failures
      )
    );
  end if;
end;
$$;
comment on function docket.close_breaker(text, text, text) is 'Closes a breaker, and ends its outage if there is one.';
