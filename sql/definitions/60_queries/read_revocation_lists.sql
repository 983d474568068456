-- Lists of revoked certificates, by their numbers. A list never changes, so whoever has read it may keep it.
-- Called by: the worker, for lists that read_envelopes and claim_envelope_checks name.
create or replace function docket.read_revocation_lists(p_revocation_lists integer[])
returns table (revocation_list_id integer, crl bytea)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select l.revocation_list_id, l.crl
  from docket.revocation_lists l
  where l.revocation_list_id = any (p_revocation_lists)
$$;
comment on function docket.read_revocation_lists(integer[]) is 'Lists of revoked certificates, by their numbers.';
