-- Admission: notices what arrived, then lets documents enter, lane by lane, in turn over the sources, as far as gates, rates and windows
-- allow. Nothing of it happens where documents are delivered, so nobody's open transaction holds up others.
-- Called by: every worker process about ten times a second; one at a time does it, the others return at once.
-- Effects: jobs of arrivals, events delivered_again, redelivered, admitted; token buckets, paces; hash becomes due. Returns how many
-- entered.
create or replace function docket.admit(p_window integer)
returns table (admitted integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_is_limited boolean;
  v_lane record;
  v_window integer;
  v_jobs uuid[];
  v_held uuid[];
  v_sources text[];
  v_pages double precision[];
  v_mb real[];
begin
  -- lock
  admitted := 0;
  perform from docket.duties d where d.duty = 'admit' for update skip locked;
  if not found then
    return next;
    return;
  end if;

  -- check
  perform docket.notice_arrivals(1000);
  v_now := clock_timestamp();
  v_is_limited := exists (select from docket.flow_limits);
  if v_is_limited then
    perform docket.renew_buckets(v_now);
    perform docket.settle_page_charges(v_now);
  end if;
  for v_lane in
    select l.lane as name, nullif(l.lane, 'standard') as lane, l.window_size
    from docket.lanes l
    where not exists (select from docket.admission_gates g where g.target = 'all')
    order by l.rank
  loop
    -- in the order of its index, so that it is used whatever the planner knows of the table
    continue when coalesce(
      case
        when v_lane.lane is null then (
          select false
          from docket.jobs j
          where j.lane is null and j.state = 'accepted' and j.next_task is null
          order by j.source_id, j.accepted_at
          limit 1
        )
        else (
          select false
          from docket.jobs j
          where j.lane = v_lane.lane and j.state = 'accepted' and j.next_task is null
          order by j.lane, j.source_id, j.accepted_at
          limit 1
        )
      end,
      true
    );
    v_window := coalesce(v_lane.window_size, docket.pace_lane(v_lane.name, p_window, v_now));
    -- full, as was counted just now for its pace
    continue when exists (
      select from docket.lane_paces p where p.lane = v_lane.name and p.looked_at = v_now and p.under_way >= v_window
    );
    select array_agg(a.job_id), array_agg(a.source_id), array_agg(a.predicted_pages), array_agg(a.predicted_mb)
    into v_jobs, v_sources, v_pages, v_mb
    from docket.admissible_jobs(v_lane.lane, v_window, coalesce(v_lane.window_size, p_window), v_now) a;
    continue when v_jobs is null;

    -- those that somebody's open transaction holds wait for it, and hold up no others
    v_held := array(
      select j.job_id from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update skip locked
    );
    if cardinality(v_held) < cardinality(v_jobs) then
      select array_agg(n.job_id), array_agg(n.source_id), array_agg(n.pages), array_agg(n.mb)
      into v_jobs, v_sources, v_pages, v_mb
      from unnest(v_jobs, v_sources, v_pages, v_mb) as n (job_id, source_id, pages, mb)
      where n.job_id = any (v_held);
      continue when v_jobs is null;
    end if;

    -- record, enqueue
    if v_is_limited then
      perform docket.charge_admission(v_jobs, v_sources, v_pages, v_mb, v_now);
    end if;
    perform docket.record_events(
      v_jobs,
      array_fill('admitted'::text, array[cardinality(v_jobs)]),
      docket.actor(),
      null,
      null,
      null,
      null
    );
    update docket.lane_paces p set under_way = p.under_way + cardinality(v_jobs) where p.lane = v_lane.name;
    admitted := admitted + cardinality(v_jobs);
  end loop;
  if v_is_limited then
    perform docket.count_waiting(v_now);
  end if;
  return next;
end;
$$;
comment on function docket.admit(integer) is
  'Notices arrivals and admits waiting jobs, lane by lane and fair over sources, within gates, rates and windows.';
