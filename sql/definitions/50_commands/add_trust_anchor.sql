-- Adds a key or a certificate against which signatures of the deliveries of a source are judged from now on. Adding what is there
-- changes nothing. What the anchor is follows from the label of its PEM: PUBLIC KEY or CERTIFICATE, one block; there are no
-- symmetric anchors, as whoever checks by one could have signed.
-- Called by: operators. Effects: trust_anchors. Returns the number of the anchor.
-- Errors: ZD023 no such source · ZD045 the anchor is not of the documented shape, or is there with another label or validity.
create or replace function docket.add_trust_anchor(
  p_source_id text,
  p_label text,
  p_pem text,
  p_purpose text default null,
  p_valid_from timestamptz default null,
  p_valid_until timestamptz default null
)
returns table (trust_anchor_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_purpose constant text := coalesce(p_purpose, 'signer');
  v_key constant bytea := docket.der_of_pem(p_pem, 'PUBLIC KEY');
  v_certificate constant bytea := docket.der_of_pem(p_pem, 'CERTIFICATE');
  v_der_sha256 constant bytea := sha256(coalesce(v_key, v_certificate));
  v_wrong text;
  v_anchor docket.trust_anchors;
begin
  -- check
  perform docket.require_source(p_source_id);
  v_wrong := case
    when btrim(coalesce(p_label, '')) = '' or length(p_label) > 200 or p_label ~ '[[:cntrl:]]'
      then 'label: an anchor needs one, of at most 200 characters on one line'
    when v_purpose not in ('signer', 'timestamp')
      then format('purpose: "%s" is not signer or timestamp', left(v_purpose, 200))
    when length(p_pem) > 65536
      then format('pem: has %s characters, at most 65536 are kept', length(p_pem))
    when p_pem like '%PRIVATE KEY-----%'
      then 'pem: is a private key, which is nobody''s to give away'
    when v_der_sha256 is null
      then 'pem: is not one PUBLIC KEY or one CERTIFICATE'
    when not isfinite(p_valid_from) or not isfinite(p_valid_until)
      then 'validity: begins and ends at a time, or is left out'
    when p_valid_until <= p_valid_from
      then format('valid_until: %s is not after %s', p_valid_until, p_valid_from)
  end;
  if v_wrong is not null then
    raise exception '%', v_wrong using errcode = 'ZD045', hint = 'See docs/signatures.md.';
  end if;

  -- record
  insert into docket.trust_anchors
    (source_id, anchor_kind, purpose, label, pem, der_sha256, valid_from, valid_until, added_by)
  values (
    p_source_id,
    case when v_key is not null then 'key' else 'certificate' end,
    v_purpose,
    p_label,
    btrim(p_pem, E' \t\r\n') || E'\n',
    v_der_sha256,
    p_valid_from,
    p_valid_until,
    docket.actor()
  )
  on conflict (source_id, purpose, der_sha256) where withdrawn_at is null do nothing;
  select t.*
  into v_anchor
  from docket.trust_anchors t
  where t.source_id = p_source_id and t.purpose = v_purpose and t.der_sha256 = v_der_sha256 and t.withdrawn_at is null;
  if (v_anchor.label, v_anchor.valid_from, v_anchor.valid_until) is distinct from (p_label, p_valid_from, p_valid_until) then
    raise exception 'pem: is anchor % already, "%", with another label or validity', v_anchor.trust_anchor_id, v_anchor.label
      using errcode = 'ZD045', hint = 'Withdraw that one first: docket.withdraw_trust_anchor.';
  end if;
  return query select v_anchor.trust_anchor_id;
end;
$$;
comment on function docket.add_trust_anchor(text, text, text, text, timestamptz, timestamptz) is
  'Adds a key or certificate (PEM) against which signatures of a source are judged from now on. Raises ZD023, ZD045.';
