-- First half of the key of every lease lock; the second half is leases.lock_key.
create or replace function docket.lease_lock_class()
returns integer
language sql
immutable
parallel safe
as $$
  select 1145655883
$$;
comment on function docket.lease_lock_class() is 'Class of the advisory locks that prove that worker processes live.';
