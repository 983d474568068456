-- How each objective is met now: what is measured, the document that it is about, what that means in words, and what to look at next.
-- Ages of which there is nothing are 0; percentiles and shares are told of 20 documents and more, so no row for less. Shares are of what
-- each OCR configuration read that is active or the canary, the worst of them: so a canary cannot hide behind the others, and one that is
-- not used any more accuses nobody. What is wrong with the file itself counts neither as read nor as quarantined.
-- Called by: operators, auditors, evidence owners; watched. Effects: none. It takes milliseconds.
create or replace function docket.slo_measures()
returns table (slo text, value double precision, job_id uuid, fact text, next_command text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_least constant integer := 20;
  v_of_reading constant text[] := '{VALIDATION_REJECTED,PAGE_COUNT_MISMATCH,RETRY_EXHAUSTED,CRASH_LOOP}';
begin
  return query
  with health as materialized (
    select null::text as lane, h.* from docket.queue_health('all') h
    union all
    select h.group_name, h.* from docket.queue_health('lane') h
  )
  select s.slo, coalesce(h.oldest_seconds, 0), h.job_id,
    format(
      case s.measure
        when 'undeferred' then 'A document%s has been waiting for admission for %s, and nothing holds it on purpose'
        when 'admitted' then 'A task%s has been due for %s, or waits for its retry, and nobody is at it'
        when 'running' then 'A worker has been at the same task%s for %s'
        when 'unpublished' then 'A recognised document%s has not been published for %s'
        when 'unsealed' then 'An event%s has not been sealed for %s'
        when 'untold' then 'A sender%s has not been told of a delivery for %s'
      end,
      ' of the lane ' || s.lane, docket.age_words(coalesce(h.oldest_seconds, 0))
    ),
    case
      when s.measure = 'untold' then 'docket receipt keys'
      when s.measure = 'unpublished' then 'docket pool list'
      when s.measure <> 'unsealed' and h.job_id is not null then 'docket why ' || h.job_id
      else 'docket status'
    end
  from docket.slos s
  left join health h on h.measure = s.measure and h.lane is not distinct from s.lane
  where s.span is null;

  return query
  select s.slo, p.p95_ms / 1000, null::uuid,
    format('5 of 100 documents%s that were published within %s took %s or longer', ' of the lane ' || s.lane,
      docket.age_words(extract(epoch from s.span)), docket.age_words(p.p95_ms / 1000)),
    'docket status'
  from docket.slos s
  join (
    select w.span, w.by_what, a.*
    from (
      select distinct o.span, case when o.lane is null then 'all' else 'lane' end as by_what
      from docket.slos o
      where o.measure = 'whole_p95'
    ) as w
    cross join lateral docket.age_percentiles(w.span, w.by_what) as a
    where a.measure = 'whole'
  ) as p on p.span = s.span and (p.by_what = 'all') = (s.lane is null) and p.group_name = coalesce(s.lane, '')
  where s.measure = 'whole_p95' and p.documents >= v_least;

  return query
  select s.slo, r.share, r.job_id,
    format('%s of %s documents%s that OCR configuration %s read within %s were quarantined%s', r.bad, r.documents,
      ' of the lane ' || s.lane, r.ocr_version, docket.age_words(extract(epoch from s.span)), ', most for ' || r.code),
    case when r.is_new then 'docket rollback --reason ''...''' else 'docket quarantine list' end
  from docket.slos s
  cross join lateral (
    select v.ocr_version, v.is_new, sum(v.documents) as documents, coalesce(sum(v.documents) filter (where v.code <> ''), 0) as bad,
      coalesce(sum(v.documents) filter (where v.code <> ''), 0)::double precision / sum(v.documents)::double precision as share,
      (array_agg(v.code order by v.documents desc) filter (where v.code <> ''))[1] as code,
      (array_agg(v.job_id order by v.documents desc) filter (where v.code <> ''))[1] as job_id
    from (
      select m.ocr_version, m.ocr_version = c.canary_version is true or c.known_good_version <> c.active_version as is_new, m.code,
        sum(m.documents) as documents, (array_agg(m.job_id order by m.at desc))[1] as job_id
      from docket.ocr_choice c
      join docket.ocr_minutes m on m.ocr_version in (c.active_version, c.canary_version)
      where m.at >= docket.window_start(s.span) and (s.lane is null or m.lane = s.lane) and (m.code = '' or m.code = any (v_of_reading))
      group by 1, 2, 3
    ) as v
    group by v.ocr_version, v.is_new
    having sum(v.documents) >= v_least
    order by share desc
    limit 1
  ) as r
  where s.measure = 'quarantined_share';
end;
$$;
comment on function docket.slo_measures() is 'How each objective is met now, in numbers and in words, and what to look at next.';
