-- The id of the job of a hash, as the columns job_id compute it: an UUID (version 8, RFC 9562) of the SHA-256 of the hash.
-- Called by: known_object. Not granted to anyone.
create or replace function docket.job_id_of(p_sha256 bytea)
returns uuid
language sql
immutable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select encode(
    set_byte(
      set_byte(substring(h.hash from 1 for 16), 6, (get_byte(h.hash, 6) & 15) | 128),
      8,
      (get_byte(h.hash, 8) & 63) | 128
    ),
    'hex'
  )::uuid
  from (values (sha256(p_sha256))) as h (hash)
$$;
comment on function docket.job_id_of(bytea) is 'The id of the job of a SHA-256.';
