-- Has the transaction ended if it is left open for half a minute, or for less where the session says so: others wait for what it locked.
-- Called by: record_log_event and prioritise. Not granted to anyone. Effects: a setting, until the transaction ends.
create or replace function docket.end_if_left_open()
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('idle_in_transaction_session_timeout')::interval not between interval '1 ms' and interval '30 s' then
    perform set_config('idle_in_transaction_session_timeout', '30s', true);
  end if;
end;
$$;
comment on function docket.end_if_left_open() is 'Has the transaction ended if it is left open for half a minute.';
