-- What signatures of a source are judged by now: its trust anchors, and which lists of revoked certificates are asked, of the
-- hundred that were given last. Anchors that were withdrawn count no more.
-- Called by: read_envelopes and claim_envelope_checks. Not granted to anyone.
create or replace function docket.envelope_trust(p_source_id text)
returns table (anchors json, revocation_lists integer[])
language sql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    (
      select coalesce(
        json_agg(
          json_build_object(
            'id', a.trust_anchor_id, 'kind', a.anchor_kind, 'purpose', a.purpose, 'label', a.label, 'pem', a.pem,
            'validFrom', docket.iso_time(a.valid_from), 'validUntil', docket.iso_time(a.valid_until)
          )
          order by a.trust_anchor_id
        ),
        '[]'
      )
      from docket.trust_anchors a
      where a.source_id = p_source_id and a.withdrawn_at is null
    ),
    array(
      select l.revocation_list_id
      from docket.revocation_lists l
      where l.source_id = p_source_id
      order by l.revocation_list_id desc
      limit 100
    )
$$;
comment on function docket.envelope_trust(text) is 'Trust anchors and revocation lists by which signatures of a source are judged now.';
