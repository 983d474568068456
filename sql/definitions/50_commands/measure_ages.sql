-- Follows the sealed events in the order in which they became leaves, each exactly once, and counts: every step; how long each document
-- took that was published, from its events; and what was quarantined. About p_limit events a call. What was counted, and how far, is
-- committed together, so a crash takes back both. What is recorded and not sealed waits: only sealed events have a fixed order. After a
-- restore nothing is counted until the recovery is declared.
-- Spans, in buckets, of the minute and the hour in which a document was published:
--   admission     accepted to first admitted
--   verification  admitted to verified
--   recognition   verified to extracted
--   publication   extracted to published
--   whole         accepted to published
-- How recognition came out is counted by the OCR configuration that was to be read by: read, or quarantined for a code.
-- Of a document that was released, the last admission, and what followed on it, counts; its whole includes what it was stopped for.
-- Called by: every worker process; one at a time does it. Effects: age_progress, event_totals, age_minutes, age_hours,
-- quarantine_minutes, quarantine_hours, ocr_minutes; minutes go after three hours, hours after 400 days.
create or replace function docket.measure_ages(p_limit integer)
returns table (events integer, is_more boolean)
language plpgsql
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
  v_from docket.age_progress;
begin
  events := 0;
  is_more := false;

  -- lock
  perform from docket.duties d where d.duty = 'ages' for update skip locked;
  if not found then
    return next;
    return;
  end if;

  -- check
  delete from docket.age_minutes a where a.at < v_now - interval '3 hours';
  delete from docket.age_hours a where a.at < v_now - interval '400 days';
  delete from docket.quarantine_minutes q where q.at < v_now - interval '3 hours';
  delete from docket.ocr_minutes m where m.at < v_now - interval '3 hours';
  delete from docket.quarantine_hours q where q.at < v_now - interval '400 days';
  select * into strict v_from from docket.age_progress;
  if (select h.needs_recovery from docket.log_head() h) then
    return next;
    return;
  end if;

  -- record
  with followed as materialized (
    select e.*
    from docket_audit.epochs p
    left join lateral (select n.first_event_id from docket_audit.epochs n where n.epoch = p.epoch + 1) as n on true
    cross join lateral (
      select p.epoch, e.xid, e.event_id, e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.code,
        e.attempt, docket.deliveries_of_event(e.event, e.detail) as deliveries
      from docket_audit.events e
      where e.event_id >= p.first_event_id and e.event_id < coalesce(n.first_event_id, 9223372036854775807)
        and e.xid < (select s.xid_to from docket_audit.seals s where s.epoch = p.epoch order by s.xid_to desc limit 1)
        and (e.xid, e.event_id) > (
          case when p.epoch = v_from.epoch then v_from.xid else '0' end, case when p.epoch = v_from.epoch then v_from.event_id else -1 end
        )
      order by e.xid, e.event_id
      limit p_limit
    ) as e
    where p.epoch >= v_from.epoch
    order by e.epoch, e.xid, e.event_id
    limit p_limit
  ),
  totals as (
    insert into docket.event_totals as t (from_state, event, to_state, events, deliveries)
    select f.from_state, f.event, f.to_state, count(*), sum(f.deliveries)
    from followed f
    group by f.from_state, f.event, f.to_state
    on conflict (from_state, event, to_state) do update set
      events = t.events + excluded.events,
      deliveries = t.deliveries + excluded.deliveries
  ),
  published as materialized (
    select f.at as published_at, h.*, j.source_id, j.document_kind, coalesce(j.lane, 'standard') as lane
    from followed f
    cross join lateral (
      select min(e.at) filter (where e.event = 'accepted') as accepted_at, min(e.at) filter (where e.event = 'admitted') as first_admitted_at,
        max(e.at) filter (where e.event = 'admitted') as admitted_at, max(e.at) filter (where e.event = 'verified') as verified_at,
        max(e.at) filter (where e.event = 'extracted') as extracted_at
      from docket_audit.events e
      where e.job_id = f.job_id and e.seq < f.seq
    ) as h
    cross join lateral (select j.source_id, j.document_kind, j.lane from docket.jobs j where j.job_id = f.job_id limit 1) as j
    where f.event = 'published'
  ),
  spans as materialized (
    select date_bin('1 minute', p.published_at, timestamptz '2000-01-01 00:00:00+00') as minute, s.measure, p.lane, p.source_id,
      p.document_kind, docket.age_bucket(s.from_at, s.to_at) as bucket, count(*) as documents
    from published p
    cross join lateral (
      values
        ('admission', p.accepted_at, p.first_admitted_at),
        ('verification', p.admitted_at, p.verified_at),
        ('recognition', p.verified_at, p.extracted_at),
        ('publication', p.extracted_at, p.published_at),
        ('whole', p.accepted_at, p.published_at)
    ) as s (measure, from_at, to_at)
    where s.from_at is not null and s.to_at is not null
    group by 1, 2, 3, 4, 5, 6
  ),
  minutes as (
    insert into docket.age_minutes as a (at, measure, lane, source_id, document_kind, bucket, documents)
    select s.minute, s.measure, s.lane, s.source_id, s.document_kind, s.bucket, s.documents
    from spans s
    where s.minute >= v_now - interval '3 hours'
    on conflict (at, measure, lane, source_id, document_kind, bucket) do update set documents = a.documents + excluded.documents
  ),
  hours as (
    insert into docket.age_hours as a (at, measure, lane, source_id, document_kind, bucket, documents)
    select date_bin('1 hour', s.minute, timestamptz '2000-01-01 00:00:00+00'), s.measure, s.lane, s.source_id, s.document_kind, s.bucket,
      sum(s.documents)
    from spans s
    group by 1, 2, 3, 4, 5, 6
    on conflict (at, measure, lane, source_id, document_kind, bucket) do update set documents = a.documents + excluded.documents
  ),
  quarantined as materialized (
    select date_bin('1 minute', f.at, timestamptz '2000-01-01 00:00:00+00') as minute, j.source_id, f.code, count(*) as documents
    from followed f
    cross join lateral (select j.source_id from docket.jobs j where j.job_id = f.job_id limit 1) as j
    where f.event = 'quarantined' and f.code is not null
    group by 1, 2, 3
  ),
  quarantined_minutes as (
    insert into docket.quarantine_minutes as q (at, source_id, code, documents)
    select n.minute, n.source_id, n.code, n.documents
    from quarantined n
    where n.minute >= v_now - interval '3 hours'
    on conflict (at, source_id, code) do update set documents = q.documents + excluded.documents
  ),
  quarantined_hours as (
    insert into docket.quarantine_hours as q (at, source_id, code, documents)
    select date_bin('1 hour', n.minute, timestamptz '2000-01-01 00:00:00+00'), n.source_id, n.code, sum(n.documents)
    from quarantined n
    group by 1, 2, 3
    on conflict (at, source_id, code) do update set documents = q.documents + excluded.documents
  ),
  recognised_minutes as (
    insert into docket.ocr_minutes as m (at, ocr_version, lane, code, documents, job_id)
    select date_bin('1 minute', f.at, timestamptz '2000-01-01 00:00:00+00'), a.ocr_version, j.lane, coalesce(f.code, ''), count(*),
      (array_agg(f.job_id order by f.at desc))[1]
    from followed f
    cross join lateral (
      select coalesce(t.ocr_version, 1) as ocr_version
      from docket.attempts t
      where t.job_id = f.job_id and t.attempt = f.attempt and t.task = 'ocr'
      limit 1
    ) as a
    cross join lateral (select coalesce(j.lane, 'standard') as lane from docket.jobs j where j.job_id = f.job_id limit 1) as j
    where f.event in ('extracted', 'quarantined') and f.at >= v_now - interval '3 hours'
    group by 1, 2, 3, 4
    on conflict (at, ocr_version, lane, code) do update set documents = m.documents + excluded.documents, job_id = excluded.job_id
  ),
  moved as (
    update docket.age_progress a
    set epoch = l.epoch, xid = l.xid, event_id = l.event_id, measured_at = v_now
    from (select f.epoch, f.xid, f.event_id from followed f order by f.epoch desc, f.xid desc, f.event_id desc limit 1) as l
  )
  select count(*) into events from followed f;
  is_more := events >= p_limit;
  return next;
end;
$$;
comment on function docket.measure_ages(integer) is
  'Counts sealed events in their order, each once: steps, how long published documents took, and what was quarantined.';
