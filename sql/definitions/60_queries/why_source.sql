-- What the documents of a source wait for: each thing that holds them up, since when, what would help, and the next command.
-- cause is a word for programs: disabled, gate, rate, memory, turn, worker, pool, held_back, outage, under_way or quarantined.
-- No row: nothing of it waits.
-- Called by: operators, evidence owners, auditors; docket why. Errors: ZD023 there is no such source, or they do not see it.
create or replace function docket.why_source(p_source_id text)
returns table (cause text, fact text, since timestamptz, would_help text, next_command text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_most constant integer := 10000;
  v_waiting record;
  v_lanes text[] := '{}';
  v_under_way record;
  v_quarantined uuid[];
begin
  if not exists (select from docket.visible_sources() as v (source_id) where v.source_id = p_source_id) then
    raise exception 'source_id: there is no source "%"', left(coalesce(p_source_id, 'null'), 200)
      using errcode = 'ZD023', hint = 'Check its name.';
  end if;

  return query
  select 'disabled', 'It is disabled: it cannot deliver; what it delivered goes on.', null::timestamptz, 'To enable it.',
    format('docket source enable %s', p_source_id)
  from docket.sources s
  where s.source_id = p_source_id and not s.is_enabled;
  return query
  select 'gate', format('Admission is closed for %s: %s', case g.target when 'all' then 'all documents' else g.target end, g.reason),
    g.closed_at, format('%s closed it; what is delivered waits, and goes on once it is opened.', g.closed_by),
    format('docket admission open %s --reason ''...''', g.target)
  from docket.admission_gates g
  where g.target in ('all', 'source:' || p_source_id);

  -- the newest of each lane, which has the others before it, stands for what waits there
  for v_waiting in
    select l.lane, newest.job_id, waiting.count, waiting.accepted_at, p.*
    from (select n.lane, n.rank, nullif(n.lane, 'standard') as stored from docket.lanes n) as l
    cross join lateral (
      (
        select j.job_id from docket.jobs j
        where l.stored is null and j.lane is null and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
        order by j.accepted_at desc
        limit 1
      )
      union all
      (
        select j.job_id from docket.jobs j
        where j.lane = l.stored and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
        order by j.accepted_at desc
        limit 1
      )
    ) as newest
    cross join lateral (
      select count(*) as count, min(w.accepted_at) as accepted_at
      from docket.waiting_jobs(p_source_id, l.stored, '{}', '-infinity', v_most) as w
    ) as waiting
    left join lateral docket.place_in_line(newest.job_id) as p on true
    order by l.rank
  loop
    v_lanes := v_lanes || v_waiting.lane;
    return query
    select coalesce(v_waiting.waits_for, 'turn'),
      format('%s%s %s in the lane %s, for %s.', v_waiting.count, case when v_waiting.count = v_most then ' documents or more' else
          case v_waiting.count when 1 then ' document' else ' documents' end end,
        case v_waiting.count when 1 then 'waits' else 'wait' end, v_waiting.lane,
        case v_waiting.waits_for
          when 'gate' then 'admission to be opened'
          when 'worker' then 'a worker'
          when 'rate' then 'their turn at the rate of ' || case v_waiting.target when 'all' then 'all sources' else v_waiting.target end
          when 'memory' then 'memory, which documents of ' || case v_waiting.target when 'all' then 'all sources' else v_waiting.target end
            || ' take'
          else 'their turn'
        end
      ) || coalesce(' The newest may be admitted at ' || docket.iso_time(v_waiting.expected_at) || '.', ''),
      v_waiting.accepted_at,
      case v_waiting.waits_for
        when 'rate' then 'A higher rate, or to wait.'
        when 'memory' then 'That documents before them are done; or a higher limit.'
        when 'gate' then 'To open admission.'
        when 'worker' then 'Start one.'
        else 'More slots or hosts.'
      end,
      case v_waiting.waits_for
        when 'rate' then 'docket limit list'
        when 'memory' then 'docket limit list'
        else format('docket why %s', v_waiting.job_id)
      end;
  end loop;

  select count(*), min(j.state_at) as since
  into v_under_way
  from docket.jobs j
  where j.next_task is not null and j.source_id = p_source_id;
  return query
  select 'under_way', format('%s %s under way.', v_under_way.count, case v_under_way.count when 1 then 'document is' else 'documents are' end),
    v_under_way.since, 'To wait.', 'docket status'
  where v_under_way.count > 0;
  -- what halts any of it; where nothing is recognised, what waits for admission waits for that too
  return query
  select distinct h.*
  from (
    select '{io}'::text[] as pools
    union
    select case when j.lane is null then '{ocr}' else '{ocr,ocr_reserved}' end::text[]
    from docket.jobs j
    where j.source_id = p_source_id and j.next_task = 'ocr'
    union
    select case w.lane when 'standard' then '{ocr}' else '{ocr,ocr_reserved}' end::text[]
    from unnest(v_lanes) as w (lane)
  ) as n
  cross join lateral docket.why_halted(n.pools, '{store,keys,disk,engine}') h;

  -- the newest that were not disposed of, looked up by key one by one
  v_quarantined := array(
    select r.job_id
    from (
      select j.job_id, j.state_at
      from docket.jobs j
      where j.state = 'quarantined' and j.source_id = p_source_id
      order by j.state_at desc
      limit 10 * v_most
    ) as r
    where (
      select true from docket.disposals d where d.job_id = r.job_id and d.decision = 'approved' and d.outlived_at is null
    ) is null
    order by r.state_at desc
    limit v_most
  );
  return query
  select 'quarantined', format('%s%s quarantined for %s: %s', q.count,
      case
        when cardinality(v_quarantined) = v_most then ' documents or more are'
        when q.count = 1 then ' document is'
        else ' documents are'
      end, q.code, f.meaning),
    q.since, f.remedy, case when f.is_transport then format('docket redrive %s --reason ''...''', q.code) else 'docket quarantine list' end
  from (
    select c.code, count(*) as count, min(j.state_at) as since
    from docket.stopping_codes(v_quarantined) c
    join docket.jobs j on j.job_id = c.job_id
    group by c.code
    order by count(*) desc
    limit 5
  ) as q
  join docket.failure_codes f on f.code = q.code;
end;
$$;
comment on function docket.why_source(text) is
  'What the documents of a source wait for, since when, what would help, and the next command. Raises ZD023.';
