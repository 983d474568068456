-- Makes a key for references, of 366 random bits. The newest key signs.
-- Called by: rotate_reference_key, and the migration that finds none. Not granted to anyone.
create or replace function docket.make_reference_key()
returns integer
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.reference_keys (inner_pad, outer_pad)
  select docket.hmac_pad(n.key, 54), docket.hmac_pad(n.key, 92)
  from (
    select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) as key offset 0
  ) as n
  returning reference_key_id
$$;
comment on function docket.make_reference_key() is 'Makes a random key for references; returns its number.';
