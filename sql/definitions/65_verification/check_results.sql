-- Recomputes the salted hash of every stored result from its pages, and compares results, evidence, signatures and who sees a
-- document with the events that name them and with the deliveries they came from; of one document or of all. What is missing counts as
-- failed, but for documents that were disposed of: their hashes cannot be recomputed, and are not. Of those nothing may remain but what
-- docket.disposed_documents leaves out.
-- Planned anew for each call, since one document and all of them are read in different ways.
-- Called by: verify_results, verify_document. Not granted to anyone.
create or replace function docket.check_results(p_job_id uuid)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_disposed uuid[] := array(
    select distinct e.job_id
    from docket_audit.events e
    where e.event = 'disposed' and (p_job_id is null or e.job_id = p_job_id) and docket.is_disposed_by_log(e.job_id)
  );
begin
  return query
  select 'result hashes', k.results, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as results, count(*) filter (where c.is_bad) as failed,
      min(array[c.job_id::text, encode(c.result_sha256, 'hex'), coalesce(encode(c.right_sha256, 'hex'), 'evidence, salt or pages missing')])
        filter (where c.is_bad) as first
    from (
      select r.job_id, r.result_sha256, h.right_sha256, h.right_sha256 is distinct from r.result_sha256 as is_bad
      from docket.results r
      left join docket.evidence v on v.job_id = r.job_id
      left join docket.job_salts s on s.job_id = r.job_id
      cross join lateral docket.result_pages(r.job_id, r.result_sha256) as p
      cross join lateral (
        select docket.result_hash(
          s.salt, v.sha256, r.config_sha256, r.pages_declared, r.pages_decoded, r.warnings, p.page_count, p.bytes
        ) as right_sha256
        offset 0
      ) as h
      where (p_job_id is null or r.job_id = p_job_id) and r.job_id <> all (v_disposed)
    ) as c
  ) as k;

  -- the current one is that of the last event published or superseded, and shown by the attempt that made it
  return query
  select 'published results', k.jobs, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as jobs, count(*) filter (where c.is_bad) as failed,
      min(array[c.job_id::text, coalesce(c.told, 'no event published'), coalesce(c.stored, 'no result')]) filter (where c.is_bad) as first
    from (
      select j.job_id, t.told,
        encode(r.result_sha256, 'hex')
          || case when r.attempt is distinct from j.result_attempt then ', shown as of another attempt' else '' end as stored,
        (t.told = encode(r.result_sha256, 'hex') and r.attempt = j.result_attempt) is not true as is_bad
      from docket.jobs j
      left join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
      left join (
        select distinct on (e.job_id) e.job_id, e.detail::json ->> 'result_sha256' as told
        from docket_audit.events e
        where e.event in ('published', 'superseded') and (p_job_id is null or e.job_id = p_job_id)
        order by e.job_id, e.seq desc
      ) as t on t.job_id = j.job_id
      where j.state = 'published' and (p_job_id is null or j.job_id = p_job_id)
    ) as c
  ) as k;

  -- each event names the result that was published until then, which is stored still
  return query
  select 'superseded results', k.results, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as results, count(*) filter (where c.is_bad) as failed,
      min(array[c.job_id || ' event ' || c.seq, coalesce(c.told, 'no event published'), coalesce(c.found, 'no result')])
        filter (where c.is_bad) as first
    from (
      select e.job_id, e.seq, p.told,
        e.supersedes || case when r.result_sha256 is null then ', which is not stored' else '' end as found,
        (p.told = e.supersedes and r.result_sha256 is not null) is not true as is_bad
      from (
        select n.job_id, n.seq, n.detail::json ->> 'supersedes' as supersedes
        from docket_audit.events n
        where n.event = 'superseded' and (p_job_id is null or n.job_id = p_job_id)
      ) as e
      left join lateral (
        select n.detail::json ->> 'result_sha256' as told
        from docket_audit.events n
        where n.job_id = e.job_id and n.seq < e.seq and n.event in ('published', 'superseded')
        order by n.seq desc
        limit 1
      ) as p on true
      left join docket.results r on r.job_id = e.job_id and r.result_sha256 = decode(e.supersedes, 'hex')
    ) as c
  ) as k;

  return query
  select 'evidence', k.packets, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as packets, count(*) filter (where c.is_bad) as failed,
      min(array[
        c.job_id::text,
        concat_ws(' ', c.detail ->> 'sha256', 'delivery', c.detail ->> 'delivery', c.detail ->> 'media_type',
          'packet', coalesce(c.detail ->> 'salted_packet_sha256', c.detail ->> 'packet_sha256')),
        concat_ws(' ', encode(c.sha256, 'hex'), 'delivery', c.delivery_id, c.media_type,
          'packet', encode(docket.salted_packet_hash(c.salt, c.packet), 'hex'),
          'as delivered', encode(docket.salted_packet_hash(c.salt, c.delivered), 'hex'))
      ]) filter (where c.is_bad) as first
    from (
      select coalesce(v.job_id, e.job_id) as job_id, e.detail, v.sha256, v.delivery_id, v.media_type, t.salt, p.packet, p.delivered,
        (
          row(v.sha256, v.delivery_id::text, v.media_type)
            = row(j.sha256, e.detail ->> 'delivery', e.detail ->> 'media_type')
          and encode(v.sha256, 'hex') = e.detail ->> 'sha256'
          and (
            v.job_id = any (v_disposed)
            or docket.packet_is_proven(e.detail, t.salt, p.packet) and docket.packet_is_proven(e.detail, t.salt, p.delivered)
          )
        ) is not true as is_bad
      from (select * from docket.evidence o where p_job_id is null or o.job_id = p_job_id) as v
      full join (
        select n.job_id, n.detail::json as detail
        from docket_audit.events n
        where n.event = 'verified' and (p_job_id is null or n.job_id = p_job_id)
      ) as e on e.job_id = v.job_id
      left join docket.jobs j on j.job_id = v.job_id
      left join docket.deliveries d on d.delivery_id = v.delivery_id
      left join docket.job_salts t on t.job_id = v.job_id
      cross join lateral (
        select docket.packet_bytes(
            v.sha256, v.size_bytes, v.stated_media_type, v.locator, v.version, v.source_id, v.document_kind, v.captured_at,
            v.received_at, v.document_date, v.signer, v.envelope, v.scan_number
          ) as packet,
          docket.packet_bytes(
            d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at,
            d.received_at, d.document_date, d.signer, d.envelope, d.scan_number
          ) as delivered
        offset 0
      ) as p
    ) as c
  ) as k;

  return query
  select 'document sources', k.sources, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as sources, count(*) filter (where c.is_bad) as failed,
      min(array[
        c.job_id::text,
        coalesce(
          concat_ws(' ', 'delivery', c.detail ->> 'delivery', c.event,
            'packet', coalesce(c.detail ->> 'salted_packet_sha256', c.detail ->> 'packet_sha256')),
          'no event'
        ),
        concat_ws(' ', 'delivery', c.delivery_id, c.source_id, 'packet', encode(docket.salted_packet_hash(c.salt, c.delivered), 'hex'))
      ]) filter (where c.is_bad) as first
    from (
      select coalesce(s.job_id, e.job_id) as job_id, e.event, e.detail, s.delivery_id, s.source_id, t.salt, p.delivered,
        (
          row(s.job_id, s.source_id, s.document_kind, s.document_date, s.captured_at, s.received_at)
            is not distinct from row(d.job_id, d.source_id, d.document_kind, d.document_date, d.captured_at, d.received_at)
          and (s.ordinal = 1) = (e.event = 'verified')
          and (s.job_id = any (v_disposed) or docket.packet_is_proven(e.detail, t.salt, p.delivered))
        ) is not true as is_bad
      from (select * from docket.document_sources o where p_job_id is null or o.job_id = p_job_id) as s
      full join (
        select n.job_id, n.event, n.detail::json as detail
        from docket_audit.events n
        where n.event in ('verified', 'delivery_verified') and (p_job_id is null or n.job_id = p_job_id)
      ) as e on e.job_id = s.job_id and e.detail ->> 'delivery' = s.delivery_id::text
      left join docket.deliveries d on d.delivery_id = s.delivery_id
      left join docket.job_salts t on t.job_id = s.job_id
      cross join lateral (
        select docket.packet_bytes(
          d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at,
          d.received_at, d.document_date, d.signer, d.envelope, d.scan_number
        ) as delivered
        offset 0
      ) as p
    ) as c
  ) as k;

  return query
  select 'amendments', k.amendments, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as amendments, count(*) filter (where c.is_bad) as failed,
      min(array[
        c.job_id::text,
        concat_ws(' ', c.told_kind, 'by', c.actor, 'note', coalesce(c.told_note, 'not hashed')),
        concat_ws(' ', c.document_kind, 'by', c.amended_by, 'note', encode(c.note_sha256, 'hex'))
      ]) filter (where c.is_bad) as first
    from (
      select coalesce(a.job_id, e.job_id) as job_id, e.detail ->> 'document_kind' as told_kind, e.actor,
        e.detail ->> 'note_sha256' as told_note, a.document_kind, a.amended_by, docket.note_hash(t.salt, a.note) as note_sha256,
        (
          row(a.document_kind, a.amended_by, (a.note is not null)::text)
            is not distinct from row(e.detail ->> 'document_kind', e.actor, e.detail ->> 'has_note')
          -- without a salt, then or now, nothing ties the note to its event
          and (
            t.salt is null
            or e.detail ->> 'note_sha256' is null
            or e.detail ->> 'note_sha256' = encode(docket.note_hash(t.salt, a.note), 'hex')
          )
        ) is not true as is_bad
      from (select * from docket.amendments o where p_job_id is null or o.job_id = p_job_id) as a
      full join (
        select n.job_id, n.seq, n.actor, n.detail::json as detail
        from docket_audit.events n
        where n.event = 'metadata_amended' and (p_job_id is null or n.job_id = p_job_id)
      ) as e on e.job_id = a.job_id and e.seq = a.seq
      left join docket.job_salts t on t.job_id = a.job_id
    ) as c
  ) as k;

  return query
  select 'signatures', k.checks, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as checks, count(*) filter (where c.is_bad) as failed,
      min(array[
        c.job_id::text,
        coalesce((c.detail ->> 'statuses') || ' ' || (c.detail ->> 'salted_report_sha256'), 'no event'),
        concat_ws(' ', coalesce(c.statuses, '[]'), coalesce(encode(c.report_sha256, 'hex'), 'no check'),
          case when not c.is_read_well then 'columns that are not of the report' end)
      ]) filter (where c.is_bad) as first
    from (
      select coalesce(g.job_id, e.job_id) as job_id, e.detail, g.statuses, h.report_sha256, g.is_read_well,
        (
          coalesce(g.is_read_well and g.deliveries = 1 and g.delivery_id::text = e.detail ->> 'delivery', true)
          and coalesce(g.statuses, '[]') = (e.detail ->> 'statuses')::jsonb
          and encode(h.report_sha256, 'hex') = e.detail ->> 'salted_report_sha256'
        ) is not true as is_bad
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
        where p_job_id is null or s.job_id = p_job_id
        group by s.job_id, s.seq
      ) as g
      full join (
        select n.job_id, n.seq, n.detail::json as detail
        from docket_audit.events n
        where n.event = 'envelope_checked' and n.code is null and (p_job_id is null or n.job_id = p_job_id)
          and n.job_id <> all (v_disposed)
      ) as e on e.job_id = g.job_id and e.seq = g.seq
      left join docket.job_salts t on t.job_id = e.job_id
      cross join lateral (
        select docket.salted_signatures_hash(t.salt, (e.detail ->> 'delivery')::bigint, coalesce(g.bytes, '')) as report_sha256
        offset 0
      ) as h
    ) as c
  ) as k;

  return query
  select 'disputes', k.documents, k.failed, k.first[1], k.first[2], k.first[3]
  from (
    select count(*) as documents, count(*) filter (where c.is_bad) as failed,
      min(array[c.job_id::text, c.told, c.shown]) filter (where c.is_bad) as first
    from (
      select job_id, t.told, t.shown, t.told <> t.shown as is_bad
      from (
        select distinct on (n.job_id) n.job_id, n.event, n.seq
        from docket_audit.events n
        where n.event in ('replay_passed', 'replay_failed') and (p_job_id is null or n.job_id = p_job_id)
        order by n.job_id, n.seq desc
      ) as e
      full join (
        select * from docket.disputed_documents x where p_job_id is null or x.job_id = p_job_id
      ) as d using (job_id)
      cross join lateral (
        select case e.event when 'replay_failed' then 'disputed since event ' || e.seq else 'not disputed' end as told,
          coalesce('disputed since event ' || d.seq, 'not disputed') as shown
      ) as t
    ) as c
  ) as k;

  return query
  select 'disposed documents', count(*), count(*) filter (where d.remains <> '{}'),
    min(d.job_id || ': ' || array_to_string(d.remains, ', ')) filter (where d.remains <> '{}'),
    case when bool_or(d.remains <> '{}') then 'nothing wrong, and nothing left' end,
    case when bool_or(d.remains <> '{}') then min(array_to_string(d.remains, ', ')) filter (where d.remains <> '{}') end
  from docket.disposed_documents() d
  where p_job_id is null or p_job_id = any (v_disposed) and d.job_id = p_job_id;
end;
$$;
comment on function docket.check_results(uuid) is
  'Recomputes results, and compares them, evidence, sources, amendments, signatures and disputes with their events, of one document or (null) of all.';
