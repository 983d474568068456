-- Replaces the key by which references in the queue are signed. References signed by the one before are believed for an hour;
-- afterwards they count as expired, so that a job which is still due gets a new one.
-- Called by: an operator, at will, and after anybody may have read the key: a leaked dump, a stolen disk.
create or replace function docket.rotate_reference_key()
returns table (reference_key_id integer, made_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_made integer := docket.make_reference_key();
begin
  return query select k.reference_key_id, k.made_at from docket.reference_keys k where k.reference_key_id = v_made;
end;
$$;
comment on function docket.rotate_reference_key() is 'Signs references by a new key from now on; the one before is believed for an hour.';
