-- In what signatures, as a replay found them, differ from what the newest checks had found. `p_signatures` is as record_signatures
-- reads it; where a delivery comes more than once, one of them must be as it was. What a release takes for weak, and what it can
-- check at all, changes: where either says so, it is compared only whether the signature is intact and is of this document.
-- Called by: replay_differences. Not granted to anyone.
create or replace function docket.signature_differences(
  p_job_id uuid,
  p_signatures json
)
returns table (checked text, page_no integer, expected text, found text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with looked as materialized (
    select p.delivery, p.place, p.reports, row_number() over () as turn
    from json_to_recordset(p_signatures) as p (delivery bigint, place text, reports json)
  ),
  wanted as materialized (
    select c.delivery_id, c.seq, n.place
    from docket.checked_envelopes(p_job_id) c
    cross join lateral unnest(c.places) as n (place)
  ),
  compared as materialized (
    select w.delivery_id, w.place, l.turn,
      coalesce(
        (
          select bool_and(
            case
              when o.status in ('unsupported', 'weak_algorithm') or n.status in ('unsupported', 'weak_algorithm')
                then coalesce(o.is_intact = n.is_intact, true) and coalesce(o.digest_matches = n.digest_matches, true)
              else row(o.status, o.is_intact, o.digest_matches, o.coverage, o.signer_sha256)
                is not distinct from row(n.status, n.is_intact, n.digest_matches, n.coverage, n.signer_sha256)
            end
          )
          from (
            select * from docket.signatures s
            where s.job_id = p_job_id and s.delivery_id = w.delivery_id and s.place = w.place and s.seq = w.seq
          ) as o
          full join (
            select r.signature_no, s.*
            from json_array_elements(l.reports) with ordinality as r (report, signature_no)
            cross join lateral docket.read_report(r.report::text) as s
          ) as n on n.signature_no = o.signature_no
        ),
        true
      ) and l.turn is not null as is_same,
      (
        select string_agg(concat_ws(' ', s.status, s.coverage), ', ' order by s.signature_no)
        from docket.signatures s
        where s.job_id = p_job_id and s.delivery_id = w.delivery_id and s.place = w.place and s.seq = w.seq
      ) as expected,
      (
        select string_agg(concat_ws(' ', r.report ->> 'status', r.report ->> 'coverage'), ', ' order by r.signature_no)
        from json_array_elements(l.reports) with ordinality as r (report, signature_no)
      ) as found
    from wanted w
    left join looked l on l.delivery = w.delivery_id and l.place = w.place
  )
  select 'envelope', null::integer, coalesce(c.expected, 'none'),
    case when c.turn is null then null when c.found = c.expected then 'another signer' else coalesce(c.found, 'none') end
  from (select distinct on (delivery_id, place) * from compared order by delivery_id, place, is_same desc, turn) as c
  where not c.is_same
$$;
comment on function docket.signature_differences(uuid, json) is
  'In what signatures, as a replay found them, differ from what the newest checks had found.';
