-- What signatures of a source were judged by at a time: its trust anchors, and which lists of revoked certificates were asked, of
-- the hundred that had been given last. Anchors that had been withdrawn count no more.
-- Called by: envelope_trust and replay_envelopes. Not granted to anyone.
create or replace function docket.envelope_judged_by(
  p_source_id text,
  p_at timestamptz
)
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
      where a.source_id = p_source_id and a.added_at <= p_at and coalesce(a.withdrawn_at, 'infinity') >= p_at
    ),
    array(
      select l.revocation_list_id
      from docket.revocation_lists l
      where l.source_id = p_source_id and l.added_at <= p_at
      order by l.revocation_list_id desc
      limit 100
    )
$$;
comment on function docket.envelope_judged_by(text, timestamptz) is
  'Trust anchors and revocation lists by which signatures of a source were judged at a time.';
