-- In what a published document, as it is stored, differs from what its events say of it: evidence packets and deliveries, what was
-- found of signatures, each result that is or was published as its pages give it, which of them is, the number of pages. Nothing where all is as it was.
-- Called by: replay_differences. Granted to auditors.
create or replace function docket.stored_differences(p_job_id uuid)
returns table (checked text, page_no integer, expected text, found text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with salt as materialized (select s.salt from docket.job_salts s where s.job_id = p_job_id),
  told as materialized (
    select e.seq, e.event, e.code, e.detail::json as detail from docket_audit.events e where e.job_id = p_job_id
  ),
  published as materialized (
    select r.*, t.detail ->> 'result_sha256' as told_sha256, t.seq, t.seq = max(t.seq) over () as is_current,
      t.event = 'superseded' as is_later, t.detail ->> 'supersedes' as supersedes,
      lag(t.detail ->> 'result_sha256') over (order by t.seq) as told_before,
      encode(
        docket.result_hash(
          (select salt from salt), v.sha256, r.config_sha256, r.pages_declared, r.pages_decoded, r.warnings, p.page_count, p.bytes
        ),
        'hex'
      ) as found_sha256,
      p.page_count as pages
    from told t
    left join docket.results r
      on r.job_id = p_job_id and r.result_sha256 = decode(t.detail ->> 'result_sha256', 'hex')
    left join docket.evidence v on v.job_id = p_job_id
    cross join lateral docket.result_pages(r.job_id, r.result_sha256) as p
    where t.event in ('published', 'superseded')
  )
  select 'packet', null::integer, coalesce(t.detail ->> 'salted_packet_sha256', t.detail ->> 'packet_sha256'),
    encode(docket.salted_packet_hash((select salt from salt), packet.bytes), 'hex')
  from told t
  cross join lateral (
    -- a row of nulls where the delivery, or the evidence, is gone
    select docket.packet_bytes(
      d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at, d.received_at,
      d.document_date, d.signer, d.envelope, d.scan_number
    ) as bytes
    from (values (true)) as always
    left join docket.deliveries d on d.delivery_id = (t.detail ->> 'delivery')::bigint and d.job_id = p_job_id
    union all
    select docket.packet_bytes(
      v.sha256, v.size_bytes, v.stated_media_type, v.locator, v.version, v.source_id, v.document_kind, v.captured_at, v.received_at,
      v.document_date, v.signer, v.envelope, v.scan_number
    )
    from (values (true)) as always
    left join docket.evidence v
      on v.job_id = p_job_id and v.delivery_id = (t.detail ->> 'delivery')::bigint and v.media_type = t.detail ->> 'media_type'
    where t.event = 'verified'
  ) as packet
  where t.event in ('verified', 'delivery_verified')
    and not docket.packet_is_proven(t.detail, (select salt from salt), packet.bytes)
  union all
  select 'envelope', null, t.detail ->> 'salted_report_sha256', g.hash
  from told t
  cross join lateral (
    select encode(
      docket.salted_signatures_hash(
        (select salt from salt),
        (t.detail ->> 'delivery')::bigint,
        coalesce(
          string_agg(
            docket.signature_bytes(s.place, s.signature_no, s.source_id, s.judged_at, s.checked_at, s.report),
            ''::bytea
            order by s.place, s.signature_no
          ),
          ''
        )
      ),
      'hex'
    ) as hash
    from docket.signatures s
    where s.job_id = p_job_id and s.seq = t.seq
  ) as g
  where t.event = 'envelope_checked' and t.code is null and g.hash is distinct from t.detail ->> 'salted_report_sha256'
  union all
  select 'result', null, p.told_sha256, p.found_sha256
  from published p
  where p.found_sha256 is distinct from p.told_sha256
  union all
  select 'result', null, p.told_before, p.supersedes
  from published p
  where p.is_later and p.supersedes is distinct from p.told_before
  union all
  select 'result', null, encode(j.result_sha256, 'hex'), p.told_sha256
  from docket.jobs j
  left join published p on p.is_current
  where j.job_id = p_job_id and encode(j.result_sha256, 'hex') is distinct from p.told_sha256
  union all
  -- people are shown the text of the attempt
  select 'result', null, 'attempt ' || p.attempt, coalesce('attempt ' || j.result_attempt, 'no attempt')
  from docket.jobs j
  join published p on p.is_current
  where j.job_id = p_job_id and j.result_attempt is distinct from p.attempt and p.attempt is not null
  union all
  select 'page_count', null, p.page_count::text, p.pages::text
  from published p
  where p.pages is distinct from p.page_count
$$;
comment on function docket.stored_differences(uuid) is
  'In what a published document, as it is stored, differs from what its events say of it.';
