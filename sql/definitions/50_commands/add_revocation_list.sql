-- Adds a list of revoked certificates (X.509 CRL, DER), asked from now on for signatures of a source. Adding what is there changes
-- nothing. Whether its signature is that of an authority above an anchor is seen where it is used.
-- Called by: operators. Effects: revocation_lists. Returns the number of the list.
-- Errors: ZD023 no such source · ZD045 it is not of the documented shape.
create or replace function docket.add_revocation_list(
  p_source_id text,
  p_crl bytea
)
returns table (revocation_list_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  -- check
  perform docket.require_source(p_source_id);
  if octet_length(p_crl) > 10485760 or docket.is_der_sequence(p_crl) is not true then
    raise exception 'crl: % bytes are not a revocation list in DER of at most 10485760', coalesce(octet_length(p_crl), 0)
      using errcode = 'ZD045', hint = 'See docs/signatures.md.';
  end if;

  -- record
  insert into docket.revocation_lists (source_id, crl, crl_sha256, added_by)
  values (p_source_id, p_crl, sha256(p_crl), docket.actor())
  on conflict (source_id, crl_sha256) do nothing;
  return query
  select r.revocation_list_id
  from docket.revocation_lists r
  where r.source_id = p_source_id and r.crl_sha256 = sha256(p_crl);
end;
$$;
comment on function docket.add_revocation_list(text, bytea) is
  'Adds a list of revoked certificates (X.509 CRL, DER) for signatures of a source. Raises ZD023, ZD045.';
