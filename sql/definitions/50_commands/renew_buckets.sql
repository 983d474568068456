-- Fits token buckets to the limits as they are now. A bucket whose limit was set anew owes no more than an empty one, so that nobody
-- waits longer than the new rate asks; one whose limit is gone goes. It is done here and not where limits are changed, so that an open
-- transaction that changes one holds up nobody.
-- Called by: admit, before documents enter. Not granted to anyone. Effects: flow_states.
create or replace function docket.renew_buckets(p_now timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from docket.flow_states t where not exists (select from docket.flow_limits f where f.target = t.target);
  update docket.flow_states t
  set documents_tat = least(t.documents_tat, p_now + f.documents_burst / f.documents_per_minute * interval '1 minute'),
    pages_tat = least(t.pages_tat, p_now + f.pages_burst / f.pages_per_minute * interval '1 minute'),
    set_at = f.set_at
  from docket.flow_limits f
  where f.target = t.target and t.set_at is distinct from f.set_at;
end;
$$;
comment on function docket.renew_buckets(timestamptz) is 'Fits token buckets to the limits as they are now.';
