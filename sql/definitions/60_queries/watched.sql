-- All that alerts are made of, as it is now: objectives that have thresholds; what is down on a host; pools without a slot; admission that
-- somebody closed long ago; a rollback that failed or stands still. A row for each, with its thresholds in the order of severity.
-- Called by: watch. Not granted to anyone.
create or replace function docket.watched()
returns table (
  subject text,
  value double precision,
  is_share boolean,
  thresholds double precision[],
  fact text,
  why text,
  next_command text,
  job_id uuid
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select 'slo:' || s.slo, m.value, s.measure = 'quarantined_share', array[s.warning, s.breach, s.rollback], m.fact, null,
    m.next_command, m.job_id
  from docket.slo_measures() m
  join docket.slos s on s.slo = m.slo
  where num_nonnulls(s.warning, s.breach, s.rollback) > 0
  union all
  select format('outage:%s@%s', b.dependency, b.host), a.seconds, false, array[0, 120, null],
    format('The %s has been down on the host %s for %s: %s, %s', b.dependency, b.host, docket.age_words(a.seconds), b.last_code,
      coalesce(b.last_message, 'no more is known')),
    f.meaning || ' ' || f.remedy, 'docket doctor', null
  from docket.breaker_states b
  join docket.failure_codes f on f.code = b.last_code
  cross join lateral (select extract(epoch from clock_timestamp() - b.opened_at)::double precision as seconds) as a
  where b.state <> 'closed' and b.opened_at is not null
  union all
  select 'pool:' || p.pools[1], a.seconds, false, array[600, null, null],
    rtrim(h.fact, '.') || ', for ' || docket.age_words(a.seconds), h.would_help, h.next_command, null
  from (values (array['io']), (array['ocr', 'ocr_reserved'])) as p (pools)
  cross join lateral docket.why_halted(p.pools, '{}') as h
  cross join lateral (select coalesce(extract(epoch from clock_timestamp() - h.since), 0)::double precision as seconds) as a
  where h.cause = 'pool'
  union all
  select 'admission:' || g.target, a.seconds, false, array[7200, null, null],
    format('Admission has been closed to %s for %s, by %s: %s', g.target, docket.age_words(a.seconds), g.closed_by, g.reason),
    'What is delivered waits, and goes on once it is opened.', format('docket admission open %s --reason ''...''', g.target), null
  from (select * from docket.admission_gates g order by g.closed_at limit 100) as g
  cross join lateral (select extract(epoch from clock_timestamp() - g.closed_at)::double precision as seconds) as a
  union all
  select 'rollback:' || r.rollback_id, a.seconds, false, array[null, 0, null],
    case
      when r.failed_at is not null then format('The rollback to OCR configuration %s failed at the step %s', r.to_version, r.step)
      else format('The rollback to OCR configuration %s has been at the step %s for %s', r.to_version, r.step, docket.age_words(a.seconds))
    end,
    coalesce(r.failure, 'Nobody goes on with it.'), 'docket rollback show ' || r.rollback_id, null
  from docket.rollbacks r
  cross join lateral (select extract(epoch from clock_timestamp() - r.stepped_at)::double precision as seconds) as a
  where r.ended_at is null
    and (r.failed_at is not null or greatest(r.stepped_at, r.drain_until) < clock_timestamp() - interval '2 minutes');
end;
$$;
comment on function docket.watched() is 'All that alerts are made of, as it is now, with its thresholds in the order of severity.';
