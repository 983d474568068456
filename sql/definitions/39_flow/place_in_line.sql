-- Where a document stands that waits for admission: what it waits for, how many go before it, and when its turn may come. No row
-- for a document that does not wait. Whoever asks: callers check that.
-- waits_for: gate (target: which), worker, rate (target: whose), memory (target: whose) or turn, what holds it up longest.
-- While the window of its lane is full, or memory is taken, it enters no sooner than others are done, whatever its rate allows.
-- `ahead` are documents of its source in its lane, `ahead_in_all` those of other sources too, which are taken in turns; both are counted up
-- to 10,000. The time is worked out from the rates, and from how fast documents were verified since some of the source wait; null where
-- it cannot be said: nobody works, admission is closed, nothing was verified, or more go before it than were counted.
-- Called by: expected_admission, waits_for, what_holds, why_source. Not granted to anyone.
create or replace function docket.place_in_line(p_job_id uuid)
returns table (
  source_id text,
  lane text,
  since timestamptz,
  waits_for text,
  target text,
  ahead integer,
  ahead_in_all integer,
  expected_at timestamptz
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_most constant integer := 10000;
  v_now timestamptz := clock_timestamp();
  v_job docket.jobs;
  v_closed text;
  v_rate record;
  v_memory text;
  v_is_full boolean;
  v_pace record;
  v_turn_at timestamptz;
begin
  select * into v_job from docket.jobs j where j.job_id = p_job_id and j.state = 'accepted' and j.next_task is null;
  if not found then
    return;
  end if;
  source_id := v_job.source_id;
  lane := coalesce(v_job.lane, 'standard');
  since := v_job.state_at;

  -- how many go before it: one index has what waits in the standard lane, another what waits in others
  select count(*) into ahead
  from (
    (
      select from docket.jobs w
      where v_job.lane is null and w.lane is null and w.source_id = v_job.source_id and w.state = 'accepted' and w.next_task is null
        and w.accepted_at < v_job.accepted_at
      limit v_most
    )
    union all
    (
      select from docket.jobs w
      where w.lane = v_job.lane and w.source_id = v_job.source_id and w.state = 'accepted' and w.next_task is null
        and w.accepted_at < v_job.accepted_at
      limit v_most
    )
  ) as w;
  select count(*) into ahead_in_all
  from (
    select
    from docket.sources s
    cross join lateral docket.waiting_jobs(s.source_id, v_job.lane, '{}', '-infinity', ahead + 1) as w
    where s.source_id <> v_job.source_id
      and not exists (select from docket.admission_gates g where g.source_id = s.source_id)
    limit v_most
  ) as w;
  ahead_in_all := least(ahead + ahead_in_all, v_most);

  -- what stands in its way, the surest first
  select g.target into v_closed
  from docket.admission_gates g
  where g.target in ('all', 'source:' || v_job.source_id, 'kind:' || v_job.document_kind)
  order by g.closed_at
  limit 1;
  if found then
    waits_for := 'gate';
    target := v_closed;
    return next;
    return;
  elsif not exists (select from docket.leases l where l.closed_at is null and l.deadline > v_now) then
    waits_for := 'worker';
    return next;
    return;
  end if;

  select l.target, v_now + make_interval(secs => greatest(
      (n.place - docket.available_tokens(l.documents_per_minute, l.documents_burst, s.documents_tat, v_now)) * 60 / l.documents_per_minute,
      (n.place * coalesce(s.pages_per_document, 1) - docket.available_tokens(l.pages_per_minute, l.pages_burst, s.pages_tat, v_now))
        * 60 / l.pages_per_minute
    )) as at
  into v_rate
  from docket.flow_limits l
  left join docket.flow_states s on s.target = l.target
  cross join lateral (select 1 + case when l.target = 'all' then ahead_in_all else ahead end as place) as n
  where l.target in ('all', 'source:' || v_job.source_id) and num_nonnulls(l.documents_per_minute, l.pages_per_minute) > 0
  order by at desc
  limit 1;

  select l.target into v_memory
  from docket.flow_limits l
  where l.target in ('all', 'source:' || v_job.source_id) and l.max_in_flight_mb is not null
    and (
      select sum(f.predicted_mb) from docket.jobs f
      where f.next_task is not null and (l.source_id is null or f.source_id = l.source_id)
    ) + (
      select docket.predicted_mb(d.size_bytes, d.media_type) from docket.deliveries d where d.delivery_id = v_job.delivery_id
    ) > l.max_in_flight_mb
  order by l.target
  limit 1;

  -- whether the window of its lane is full: as it was set, as admission paced it a moment ago, or else two for each slot that recognises
  select coalesce(
      u.jobs >= l.window_size,
      u.due >= (
        select floor(p.window_size) from docket.lane_paces p where p.lane = l.lane and p.looked_at >= v_now - interval '2 seconds'
      ),
      case when h.slots is not null then u.due >= greatest(2 * h.slots, 2) end,
      false
    )
  into v_is_full
  from docket.lanes l
  cross join lateral (
    select count(*) as jobs, count(*) filter (where coalesce(j.due_at <= v_now, true)) as due
    from docket.jobs j
    where j.next_task is not null and coalesce(j.lane, 'standard') = l.lane
  ) as u
  cross join lateral (select docket.recognising_slots(l.lane) as slots) as h
  where l.lane = coalesce(v_job.lane, 'standard');

  -- how fast documents are taken up since some wait here: while none does, few may be verified because few came
  select v_now - w.since as span, count(d.verified_at) as verified
  into v_pace
  from (
    select greatest(min(w.accepted_at), v_now - interval '10 minutes') as since
    from docket.waiting_jobs(v_job.source_id, v_job.lane, '{}', '-infinity', 1) as w
  ) as w
  left join (select n.verified_at from docket.document_sources n order by n.received_at desc limit 500) as d
    on d.verified_at > w.since
  group by w.since;
  -- where none was verified and there is no room, its turn comes no sooner than if one had been; when, nobody can say
  if ahead_in_all = 0 and not v_is_full and v_memory is null and v_now - since < interval '2 seconds' then
    v_turn_at := v_now;
  elsif v_pace.verified > 0 or v_is_full or v_memory is not null then
    v_turn_at := v_now + (ahead_in_all + 1) * v_pace.span / greatest(v_pace.verified, 1);
  end if;

  if v_rate.at > greatest(v_turn_at, v_now) then
    waits_for := 'rate';
    target := v_rate.target;
  elsif v_memory is not null then
    waits_for := 'memory';
    target := v_memory;
  else
    waits_for := 'turn';
  end if;
  expected_at := case
    when ahead_in_all < v_most and (v_pace.verified > 0 or not v_is_full and v_memory is null)
        and (v_turn_at is not null or v_rate.at > v_now)
      then greatest(v_now, v_rate.at, v_turn_at)
  end;
  return next;
end;
$$;
comment on function docket.place_in_line(uuid) is
  'What a document that waits for admission waits for, how many go before it, and when its turn may come.';
