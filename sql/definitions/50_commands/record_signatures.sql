-- Records what checks of signatures found: for each job a JSON array with an object for each place that was looked at,
-- {"delivery", "place", "judgedAt", "reports": [SignatureReport…]}. Null where nothing was looked at. Somebody may have ordered it.
-- Called by: record_verified and record_envelope_checks, with the jobs locked and salted. Not granted to anyone.
-- Effects: signatures; an event envelope_checked for each delivery.
create or replace function docket.record_signatures(
  p_jobs uuid[],
  p_signatures json[],
  p_ordered_by text[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_checked record;
begin
  -- record
  with looked as materialized (
    select d.job_id, d.delivery_id, d.source_id, p.place, p."judgedAt" as judged_at, p.reports, n.ordered_by, t.salt, j.seq,
      dense_rank() over (partition by d.job_id order by d.delivery_id) as turn
    from unnest(p_jobs, p_signatures, p_ordered_by) as n (job_id, signatures, ordered_by)
    cross join lateral json_to_recordset(n.signatures)
      as p (delivery bigint, place text, "judgedAt" timestamptz, reports json)
    cross join lateral (select * from docket.deliveries d where d.delivery_id = p.delivery limit 1) as d
    cross join lateral (select t.salt from docket.job_salts t where t.job_id = d.job_id limit 1) as t
    cross join lateral (select j.seq from docket.jobs j where j.job_id = d.job_id limit 1) as j
    where d.job_id = n.job_id
  ),
  found as (
    insert into docket.signatures
      (job_id, seq, delivery_id, place, signature_no, source_id, format, purpose, status, is_intact, digest_matches, coverage,
       later_changes, signer, signer_sha256, trust_anchor_id, algorithm, signed_at, signed_at_by, judged_at, checked_at,
       findings, report)
    select l.job_id, l.seq + l.turn, l.delivery_id, l.place, r.signature_no, l.source_id, s.format, s.purpose, s.status, s.is_intact,
      s.digest_matches, s.coverage, s.later_changes, s.signer, s.signer_sha256, s.trust_anchor_id, s.algorithm, s.signed_at,
      s.signed_at_by, l.judged_at, v_now, s.findings, r.report
    from looked l
    cross join lateral json_array_elements(l.reports) with ordinality as r (report, signature_no)
    cross join lateral docket.read_report(r.report::text) as s
    returning *
  ),
  told as (
    select l.job_id, l.turn,
      json_strip_nulls(
        json_build_object(
          'delivery', l.delivery_id, 'source', l.source_id, 'places', l.places, 'statuses', coalesce(f.statuses, '[]'),
          'salted_report_sha256',
          encode(docket.salted_signatures_hash(l.salt, l.delivery_id, coalesce(f.bytes, '')), 'hex'),
          'ordered_by', l.ordered_by
        )
      )::text as detail
    from (
      select l.job_id, l.turn, l.delivery_id, l.source_id, l.salt, l.ordered_by, json_agg(l.place order by l.place) as places
      from looked l
      group by l.job_id, l.turn, l.delivery_id, l.source_id, l.salt, l.ordered_by
    ) as l
    left join (
      select f.job_id, f.delivery_id,
        json_agg(f.status order by f.place, f.signature_no) as statuses,
        string_agg(
          docket.signature_bytes(f.place, f.signature_no, f.source_id, f.judged_at, f.checked_at, f.report),
          ''::bytea
          order by f.place, f.signature_no
        ) as bytes
      from found f
      group by f.job_id, f.delivery_id
    ) as f on f.job_id = l.job_id and f.delivery_id = l.delivery_id
  )
  select array_agg(t.job_id) as jobs, array_agg(t.detail) as details, array_agg(t.turn) as turns
  into v_checked
  from told t;

  -- one event of a job at a time
  for v_turn in 1 .. coalesce((select max(n.turn) from unnest(v_checked.turns) as n (turn)), 0) loop
    perform docket.record_events(
      array_agg(n.job_id), array_fill('envelope_checked'::text, array[count(*)::integer]), docket.actor(), null, null, null,
      array_agg(n.detail)
    )
    from unnest(v_checked.jobs, v_checked.details, v_checked.turns) as n (job_id, detail, turn)
    where n.turn = v_turn;
  end loop;
end;
$$;
comment on function docket.record_signatures(uuid[], json[], text[]) is
  'Records what checks of signatures found, and an event for each delivery that proves it.';
