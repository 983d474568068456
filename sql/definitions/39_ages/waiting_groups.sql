-- What waits for admission: one row for each source, kind and lane of which something waits, with the oldest of it. Only the groups are
-- read, each by one look into the index, however many documents wait; then they are counted, 10,000 of all groups together, but 100 of
-- each at least: null where there are more.
-- Held is what deliberately may not enter now: admission is closed for all, for its source or its kind, or a limit of its source or of all
-- has no room, be it in a bucket or in memory. free_at is when the last limit got room for one more document, as a bucket says: since
-- then nothing but the workers keeps it waiting; room is for how many.
-- Called by: queue_health. Not granted to anyone.
create or replace function docket.waiting_groups()
returns table (
  source_id text,
  document_kind text,
  lane text,
  documents bigint,
  accepted_at timestamptz,
  job_id uuid,
  is_held boolean,
  free_at timestamptz,
  room bigint
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off -- whatever the planner knew of the tables when it made the plan
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with recursive groups as (
    (
      select j.source_id, j.document_kind, coalesce(j.lane, 'standard') as lane, j.accepted_at, j.job_id, j.delivery_id
      from docket.jobs j
      where j.state = 'accepted' and j.next_task is null
      order by j.source_id, j.document_kind, coalesce(j.lane, 'standard'), j.accepted_at
      limit 1
    )
    union all
    select n.*
    from groups g
    cross join lateral (
      select j.source_id, j.document_kind, coalesce(j.lane, 'standard') as lane, j.accepted_at, j.job_id, j.delivery_id
      from docket.jobs j
      where j.state = 'accepted' and j.next_task is null
        and (j.source_id, j.document_kind, coalesce(j.lane, 'standard')) > (g.source_id, g.document_kind, g.lane)
      order by j.source_id, j.document_kind, coalesce(j.lane, 'standard'), j.accepted_at
      limit 1
    ) as n
  ),
  most as materialized (
    select greatest(10000 / greatest(count(*), 1), 100) as documents from groups
  ),
  limits as materialized (
    select f.source_id,
      greatest(
        b.documents_tat - (f.documents_burst - 1) * interval '1 minute' / f.documents_per_minute,
        b.pages_tat - (f.pages_burst - b.pages_each) * interval '1 minute' / f.pages_per_minute
      ) as free_at,
      floor(
        least(
          docket.available_tokens(f.documents_per_minute, f.documents_burst, b.documents_tat, v_now),
          docket.available_tokens(f.pages_per_minute, f.pages_burst, b.pages_tat, v_now) / b.pages_each
        ) + 1e-6
      )::bigint as room,
      f.max_in_flight_mb as cap,
      case when f.max_in_flight_mb is not null then (
        select sum(j.predicted_mb) from docket.jobs j
        where j.next_task is not null and (f.source_id is null or j.source_id = f.source_id)
      ) end as taken_mb
    from docket.flow_limits f
    left join docket.flow_states t on t.target = f.target
    -- a bucket whose limit was set anew owes no more than an empty one
    cross join lateral (
      select least(coalesce(t.documents_tat, '-infinity'), v_now + f.documents_burst * interval '1 minute' / f.documents_per_minute)
          as documents_tat,
        least(coalesce(t.pages_tat, '-infinity'), v_now + f.pages_burst * interval '1 minute' / f.pages_per_minute) as pages_tat,
        least(coalesce(t.pages_per_document, 1), f.pages_burst)::double precision as pages_each
    ) as b
  )
  select g.source_id, g.document_kind, g.lane, case when c.documents <= m.documents then c.documents end, g.accepted_at, g.job_id,
    exists (
        select from docket.admission_gates a
        where a.target = 'all' or a.source_id = g.source_id or a.document_kind = g.document_kind
      )
      or h.is_held,
    h.free_at, h.room
  from groups g
  cross join most m
  cross join lateral (
    select count(*) as documents
    from (
      select
      from docket.jobs j
      where j.state = 'accepted' and j.next_task is null and j.source_id = g.source_id and j.document_kind = g.document_kind
        and coalesce(j.lane, 'standard') = g.lane
      limit m.documents + 1
    ) as w
  ) as c
  cross join lateral (
    select max(l.free_at) as free_at, min(l.room) as room,
      coalesce(
        bool_or(
          l.free_at > v_now
          or l.taken_mb > 0 and l.taken_mb + (
            select docket.predicted_mb(d.size_bytes, d.media_type) from docket.deliveries d where d.delivery_id = g.delivery_id
          ) > l.cap
        ),
        false
      ) as is_held
    from limits l
    where l.source_id is null or l.source_id = g.source_id
  ) as h;
end;
$$;
comment on function docket.waiting_groups() is
  'What waits for admission by source, kind and lane: how many, the oldest, and whether it is deliberately held.';
