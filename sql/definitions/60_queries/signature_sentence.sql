-- What is said to people of a document, for the signature that speaks for it. "Signed" is said of valid signatures over the whole
-- document alone; of anything else: bytes received. Nobody is named but whom an anchor vouches for.
-- Called by: signature_summary. Not granted to anyone.
create or replace function docket.signature_sentence(p_signature docket.document_signatures)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    when s.is_signing and s.status = 'valid' then
      format('Signed by %s over the whole document; valid on %s against the anchor "%s".', s.name, s.judged_at, s.anchor)
    when s.is_signing then
      format('Signed by %s over the whole document; the certificate had expired by %s, but was valid ', s.name, s.judged_at)
      || format('against the anchor "%s" when it was signed on %s, as %s says.', s.anchor, s.signed_at, s.teller)
    else 'Bytes received. '
      || case s.status
        when 'valid' then format('A signature by %s is valid, but %s.', s.name, s.lack)
        when 'expired_valid_at_signing' then format('A signature by %s was valid when it was made, but %s.', s.name, s.lack)
        when 'revoked' then format('There is a signature by %s, but the certificate had been revoked.', s.name)
        when 'expired' then format('There is a signature by %s, but the certificate or key had expired.', s.name)
        when 'not_yet_valid' then format('There is a signature by %s, but the certificate or key was not valid yet.', s.name)
        when 'unknown_signer' then 'There is a signature, but it leads to no trust anchor of the source.'
        when 'weak_algorithm' then 'There is a signature, but its algorithm proves nothing.'
        when 'unsupported' then 'There is a signature, but its algorithm cannot be checked here.'
        when 'invalid' then case
          when s.digest_matches then 'There is a signature over these bytes, but it was altered, or is of another key.'
          else 'There is a signature that does not fit this document: one of them was altered, or it signs something else.'
        end
        else 'It has a signature that cannot be read.'
      end
      || case when not s.is_valid and s.coverage <> 'whole_document' then format(' Besides, %s.', s.lack) else '' end
  end
  from (
    select p_signature.status, p_signature.is_valid, p_signature.is_signing, p_signature.coverage, p_signature.digest_matches,
      p_signature.anchor,
      to_char(p_signature.judged_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as judged_at,
      to_char(p_signature.signed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as signed_at,
      case p_signature.signed_at_by when 'timestamp' then 'a trusted time-stamp' else 'the signer' end as teller,
      case p_signature.coverage
        when 'partial' then 'it is over a part of the document only'
        when 'changed_after_signing' then 'the document was changed afterwards'
        else 'it could not be told over which bytes'
      end as lack,
      coalesce(
        case
          when p_signature.trust_anchor_id is not null and p_signature.is_intact
            then left(regexp_replace(p_signature.signer, '[[:cntrl:]]', '?', 'g'), 300)
        end,
        'somebody'
      ) as name
  ) as s
$$;
comment on function docket.signature_sentence(docket.document_signatures) is
  'One sentence on a document, for the signature that speaks for it.';
