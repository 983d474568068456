-- Which documents of a lane (null: the standard one) may enter now, in which order, and what they are expected to cost.
-- Sources take turns: the one with the fewest documents under way in the lane goes first, and lots decide between equals. Of each
-- source the oldest go first; one that does not fit holds up what is behind it, so that a large one is not passed for ever.
--   a window of the lane         documents of it that are admitted and not finished: so many that are due, and so many in all
--   a rate of documents          whole tokens in the bucket of the source, and of all
--   a rate of pages              tokens for the predicted pages; what has more than the whole bucket waits until it is full
--   a cap of memory              what is under way and this one; a document larger than the cap enters alone
-- Called by: admit. Not granted to anyone.
create or replace function docket.admissible_jobs(
  p_lane text,
  p_window integer,
  p_most integer,
  p_now timestamptz
)
returns table (job_id uuid, source_id text, predicted_pages double precision, predicted_mb real)
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- it runs ten times a second, and to plan it takes longer than to run it
set enable_seqscan = off -- whatever the planner knew of the tables when it made the plan
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_closed_kinds text[] := array(select g.document_kind from docket.admission_gates g where g.document_kind is not null);
begin
  return query
  with under_way as materialized (
    select j.source_id, count(*) filter (where j.lane is not distinct from p_lane) as turns,
      count(*) filter (where j.lane is not distinct from p_lane and coalesce(j.due_at <= p_now, true)) as due,
      coalesce(sum(j.predicted_mb), 0) as mb, count(*) as jobs
    from docket.jobs j
    where j.next_task is not null
    group by j.source_id
  ),
  total as materialized (
    select least(p_window - u.due, p_most - u.turns) as room, u.jobs, u.mb, f.max_in_flight_mb as cap, f.pages_burst,
      case when f.pages_per_minute is not null then coalesce(t.pages_per_document, 1) end as pages_each,
      floor(docket.available_tokens(f.documents_per_minute, f.documents_burst, t.documents_tat, p_now) + 1e-6) as entries,
      docket.available_tokens(f.pages_per_minute, f.pages_burst, t.pages_tat, p_now) + 1e-6 as pages
    from (
      select coalesce(sum(u.turns), 0) as turns, coalesce(sum(u.due), 0) as due, coalesce(sum(u.jobs), 0) as jobs,
        coalesce(sum(u.mb), 0) as mb
      from under_way u
    ) as u
    left join docket.flow_limits f on f.target = 'all'
    left join docket.flow_states t on t.target = f.target
  ),
  takers as materialized (
    select s.source_id, random() as lot, coalesce(u.turns, 0) as turns, coalesce(u.jobs, 0) as jobs, coalesce(u.mb, 0) as mb,
      f.max_in_flight_mb as cap, f.pages_burst, a.cap is not null or f.max_in_flight_mb is not null as is_weighed,
      case when f.pages_per_minute is null then a.pages_each else coalesce(t.pages_per_document, 1) end as pages_each,
      greatest(
        least(
          a.room,
          a.entries,
          floor(docket.available_tokens(f.documents_per_minute, f.documents_burst, t.documents_tat, p_now) + 1e-6)
        ),
        0
      )::bigint as room,
      docket.available_tokens(f.pages_per_minute, f.pages_burst, t.pages_tat, p_now) + 1e-6 as pages
    from total a
    cross join docket.sources s
    left join docket.admission_gates g on g.source_id = s.source_id
    left join docket.flow_limits f on f.source_id = s.source_id
    left join docket.flow_states t on t.target = f.target
    left join under_way u on u.source_id = s.source_id
    where g.target is null
  ),
  waiting as (
    select w.job_id, s.*, s.turns + row_number() over by_age as turn, d.predicted_mb as own_mb,
      row_number() over by_age = 1 and s.jobs = 0 as is_alone,
      row_number() over by_age * s.pages_each as pages_so_far,
      s.mb + sum(d.predicted_mb) over by_age as mb_so_far
    from takers s
    cross join lateral docket.waiting_jobs(s.source_id, p_lane, v_closed_kinds, '-infinity', s.room) w
    left join lateral (
      select docket.predicted_mb(d.size_bytes, d.media_type) as predicted_mb
      from docket.deliveries d
      where s.is_weighed and d.delivery_id = w.delivery_id
      limit 1
    ) as d on true
    window by_age as (partition by s.source_id order by w.accepted_at, w.job_id)
  ),
  in_turn as (
    select w.job_id, w.source_id, w.pages_each, w.own_mb, row_number() over by_turn as place,
      sum(w.pages_each) over by_turn as pages_so_far,
      a.mb + sum(w.own_mb) over by_turn as mb_so_far
    from waiting w
    cross join total a
    where (w.pages is null or w.pages_so_far <= w.pages or w.pages >= w.pages_burst and w.turn = w.turns + 1)
      and (w.cap is null or w.mb_so_far <= w.cap or w.is_alone)
    window by_turn as (order by w.turn, w.lot, w.source_id)
  )
  select i.job_id, i.source_id, i.pages_each::double precision, i.own_mb
  from in_turn i
  cross join total a
  where i.place <= least(a.room, a.entries)
    and (a.pages is null or i.pages_so_far <= a.pages or a.pages >= a.pages_burst and i.place = 1)
    and (a.cap is null or i.mb_so_far <= a.cap or i.place = 1 and a.jobs = 0)
  order by i.place;
end;
$$;
comment on function docket.admissible_jobs(text, integer, integer, timestamptz) is
  'Documents of a lane that may enter now, in turn over the sources, within windows, rates and caps.';
