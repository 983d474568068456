-- Recomputes the salted hash of every stored result from its pages, and compares results, evidence, signatures and who sees a
-- document with the events that name them and with the deliveries they came from. What is missing counts as failed, but for documents that were
-- disposed of: their hashes cannot be recomputed, and are not. Of those nothing may
-- remain but what docket.disposed_documents leaves out. For auditors.
create or replace function docket.verify_results()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with disposed as materialized (
    select distinct e.job_id from docket_audit.events e where e.event = 'disposed' and docket.is_disposed_by_log(e.job_id)
  )
  select 'result hashes', count(*), count(*) filter (where bad.is_bad), min(r.job_id::text) filter (where bad.is_bad), null::text, null::text
  from docket.results r
  left join docket.evidence v on v.job_id = r.job_id
  left join docket.job_salts s on s.job_id = r.job_id
  cross join lateral (
    select count(*)::integer as page_count,
      coalesce(
        string_agg(
          docket.page_bytes(
            p.page_no, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees, p.confidence, p.verdict, p.text,
            p.words
          ),
          ''::bytea
          order by p.page_no
        ),
        ''::bytea
      ) as bytes
    from docket.pages p
    where p.job_id = r.job_id and p.result_sha256 = r.result_sha256
  ) as p
  cross join lateral (
    select docket.result_hash(
      s.salt, v.sha256, r.config_sha256, r.pages_declared, r.pages_decoded, r.warnings, p.page_count, p.bytes
    ) is distinct from r.result_sha256 as is_bad
  ) as bad
  where r.job_id not in (select g.job_id from disposed g)
  union all
  select 'published results', count(*), count(*) filter (where bad.is_bad), min(j.job_id::text) filter (where bad.is_bad), null::text, null::text
  from docket.jobs j
  left join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
  left join docket_audit.events e on e.job_id = j.job_id and e.event = 'published'
  cross join lateral (
    select (e.detail::json ->> 'result_sha256' = encode(r.result_sha256, 'hex')) is not true as is_bad
  ) as bad
  where j.state = 'published'
  union all
  select 'evidence', count(*), count(*) filter (where bad.is_bad),
    min(coalesce(v.job_id, e.job_id)::text) filter (where bad.is_bad), null::text, null::text
  from docket.evidence v
  full join (
    select e.job_id, e.detail::json as detail from docket_audit.events e where e.event = 'verified'
  ) as e on e.job_id = v.job_id
  left join docket.jobs j on j.job_id = v.job_id
  left join docket.deliveries d on d.delivery_id = v.delivery_id
  left join docket.job_salts t on t.job_id = v.job_id
  cross join lateral (
    select (
      row(v.sha256, v.delivery_id::text, v.media_type)
        = row(j.sha256, e.detail ->> 'delivery', e.detail ->> 'media_type')
      and encode(v.sha256, 'hex') = e.detail ->> 'sha256'
      and (
        v.job_id in (select g.job_id from disposed g)
        or docket.packet_is_proven(
          e.detail,
          t.salt,
          docket.packet_bytes(
            v.sha256, v.size_bytes, v.stated_media_type, v.locator, v.version, v.source_id, v.document_kind, v.captured_at,
            v.received_at, v.document_date, v.signer, v.envelope, v.scan_number
          )
        )
        and docket.packet_is_proven(
          e.detail,
          t.salt,
          docket.packet_bytes(
            d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at,
            d.received_at, d.document_date, d.signer, d.envelope, d.scan_number
          )
        )
      )
    ) is not true as is_bad
  ) as bad
  union all
  select 'document sources', count(*), count(*) filter (where bad.is_bad),
    min(coalesce(s.job_id, e.job_id)::text) filter (where bad.is_bad), null::text, null::text
  from docket.document_sources s
  full join (
    select e.job_id, e.event, e.detail::json as detail
    from docket_audit.events e
    where e.event in ('verified', 'delivery_verified')
  ) as e on e.job_id = s.job_id and e.detail ->> 'delivery' = s.delivery_id::text
  left join docket.deliveries d on d.delivery_id = s.delivery_id
  left join docket.job_salts t on t.job_id = s.job_id
  cross join lateral (
    select (
      row(s.job_id, s.source_id, s.document_kind, s.document_date, s.captured_at, s.received_at)
        is not distinct from row(d.job_id, d.source_id, d.document_kind, d.document_date, d.captured_at, d.received_at)
      and (s.ordinal = 1) = (e.event = 'verified')
      and (
        s.job_id in (select g.job_id from disposed g)
        or docket.packet_is_proven(
          e.detail,
          t.salt,
          docket.packet_bytes(
            d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at,
            d.received_at, d.document_date, d.signer, d.envelope, d.scan_number
          )
        )
      )
    ) is not true as is_bad
  ) as bad
  union all
  select 'amendments', count(*), count(*) filter (where bad.is_bad),
    min(coalesce(a.job_id, e.job_id)::text) filter (where bad.is_bad), null::text, null::text
  from docket.amendments a
  full join (
    select e.job_id, e.seq, e.actor, e.detail::json as detail from docket_audit.events e where e.event = 'metadata_amended'
  ) as e on e.job_id = a.job_id and e.seq = a.seq
  left join docket.job_salts t on t.job_id = a.job_id
  cross join lateral (
    select (
      row(a.document_kind, a.amended_by, (a.note is not null)::text)
        is not distinct from row(e.detail ->> 'document_kind', e.actor, e.detail ->> 'has_note')
      -- without a salt, then or now, nothing ties the note to its event
      and (
        t.salt is null
        or e.detail ->> 'note_sha256' is null
        or e.detail ->> 'note_sha256' = encode(docket.note_hash(t.salt, a.note), 'hex')
      )
    ) is not true as is_bad
  ) as bad
  union all
  select 'signatures', count(*), count(*) filter (where bad.is_bad),
    min(coalesce(g.job_id, e.job_id)::text) filter (where bad.is_bad), null::text, null::text
  from (
    select s.job_id, s.seq, min(s.delivery_id) as delivery_id, count(distinct s.delivery_id) as deliveries,
      string_agg(
        docket.signature_bytes(s.place, s.signature_no, s.source_id, s.judged_at, s.checked_at, s.report),
        ''::bytea
        order by s.place, s.signature_no
      ) as bytes,
      json_agg(s.status order by s.place, s.signature_no)::jsonb as statuses,
      bool_and(
        row(s.format, s.purpose, s.status, s.is_intact, s.digest_matches, s.coverage, s.later_changes, s.signer,
          s.signer_sha256, s.trust_anchor_id, s.algorithm, s.signed_at, s.signed_at_by, s.findings)
        is not distinct from row(r.*)
      ) as is_read_well
    from docket.signatures s
    cross join lateral docket.read_report(s.report) as r
    group by s.job_id, s.seq
  ) as g
  full join (
    select e.job_id, e.seq, e.detail::json as detail
    from docket_audit.events e
    where e.event = 'envelope_checked' and e.code is null and e.job_id not in (select g.job_id from disposed g)
  ) as e on e.job_id = g.job_id and e.seq = g.seq
  left join docket.job_salts t on t.job_id = e.job_id
  cross join lateral (
    select (
      coalesce(g.is_read_well and g.deliveries = 1 and g.delivery_id::text = e.detail ->> 'delivery', true)
      and coalesce(g.statuses, '[]') = (e.detail ->> 'statuses')::jsonb
      and encode(
        docket.salted_signatures_hash(t.salt, (e.detail ->> 'delivery')::bigint, coalesce(g.bytes, '')), 'hex'
      ) = e.detail ->> 'salted_report_sha256'
    ) is not true as is_bad
  ) as bad
  union all
  select 'disposed documents', count(*), count(*) filter (where d.remains <> '{}'),
    min(d.job_id || ': ' || array_to_string(d.remains, ', ')) filter (where d.remains <> '{}'), null::text, null::text
  from docket.disposed_documents() d
$$;
comment on function docket.verify_results() is
  'Recomputes the hashes of stored results; compares published results, evidence and who sees a document with their events and deliveries.';
