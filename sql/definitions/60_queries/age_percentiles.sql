-- How long documents took that were published within a window that ends now: half of them, 95 and 99 of a hundred no longer than told.
-- What is told is the upper bound of a bucket, up to nine per cent more than the document took that stands there. Windows up to two hours
-- are made of whole minutes, longer ones of whole hours: the one in which the window begins counts as a whole. At most 400 days.
-- Called by: operators, auditors, evidence owners, workers, the gateway. Effects: none. Errors: ZD073 by · ZD074 the window.
create or replace function docket.age_percentiles(
  p_window interval default '5 minutes',
  p_by text default 'all'
)
returns table (
  measure text,
  group_name text,
  documents bigint,
  p50_ms double precision,
  p95_ms double precision,
  p99_ms double precision
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_since timestamptz;
begin
  p_by := coalesce(p_by, 'all');
  p_window := coalesce(p_window, interval '5 minutes');
  perform docket.require_grouping(p_by, '{all,lane,source,kind}');
  v_since := docket.window_start(p_window);

  return query
  with counted as materialized (
    select c.measure, g.group_name, c.bucket, sum(c.documents) as documents
    from (
      select m.measure, m.lane, m.source_id, m.document_kind, m.bucket, m.documents
      from docket.age_minutes m
      where p_window <= interval '2 hours' and m.at >= v_since
      union all
      select h.measure, h.lane, h.source_id, h.document_kind, h.bucket, h.documents
      from docket.age_hours h
      where p_window > interval '2 hours' and h.at >= v_since
    ) as c
    cross join lateral (
      select case p_by when 'lane' then c.lane when 'source' then c.source_id when 'kind' then c.document_kind else '' end as group_name
    ) as g
    group by c.measure, g.group_name, c.bucket
  ),
  summed as (
    select c.measure, c.group_name, c.bucket, sum(c.documents) over (partition by c.measure, c.group_name order by c.bucket) as up_to,
      sum(c.documents) over (partition by c.measure, c.group_name) as documents
    from counted c
  )
  select s.measure, s.group_name, max(s.documents)::bigint,
    docket.bucket_end_ms(min(s.bucket) filter (where s.up_to >= 0.5 * s.documents)),
    docket.bucket_end_ms(min(s.bucket) filter (where s.up_to >= 0.95 * s.documents)),
    docket.bucket_end_ms(min(s.bucket) filter (where s.up_to >= 0.99 * s.documents))
  from summed s
  group by s.measure, s.group_name
  order by s.measure, s.group_name;
end;
$$;
comment on function docket.age_percentiles(interval, text) is
  'How long documents took that were published within a window, by all, lane, source or kind. Raises ZD073, ZD074.';
