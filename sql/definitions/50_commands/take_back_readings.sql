-- Takes back what is being read by an OCR configuration: another attempt follows at once, and it counts as no try. A late result of the
-- attempt that was ended is refused by the fence. What somebody else has locked is left to the next round.
-- A worker takes back what is left once the time to drain is over; an operator, in whose presence no worker is at work, also what dead
-- workers left.
-- Called by: the steps of a rollback. Not granted to anyone. Effects: attempts; event ocr_retry or ocr_recalled; queue rows.
create or replace function docket.take_back_readings(
  p_version integer,
  p_is_all boolean
)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_worker boolean := docket.acts_as('docket_worker');
  v_jobs uuid[];
  v_attempts integer[];
  v_held docket.failed_attempt[];
begin
  -- check
  select array_agg(o.job_id), array_agg(o.attempt)
  into v_jobs, v_attempts
  from docket.open_readings(p_version) o
  where p_is_all or o.is_left and not v_is_worker;
  if v_jobs is null then
    return 0;
  end if;

  -- lock
  select array_agg(
    row(h.job_id, h.attempt, 'ocr', h.tries, 'OCR_VERSION_WITHDRAWN', format('OCR configuration %s was rolled back', p_version))
      ::docket.failed_attempt
  )
  into v_held
  from (
    select j.job_id, j.attempt, j.tries
    from docket.jobs j
    join unnest(v_jobs, v_attempts) as n (job_id, attempt) on n.job_id = j.job_id and n.attempt = j.attempt
    where j.job_id = any (v_jobs) and j.token is not null
    order by j.job_id
    for no key update of j skip locked
  ) as h
  -- none that ended before it was locked
  where exists (select from docket.attempts a where a.job_id = h.job_id and a.attempt = h.attempt and a.ended_at is null);
  if v_held is null then
    return 0;
  end if;

  -- record, enqueue
  perform from docket.settle_failures(v_held, 'failed', case when v_is_worker then '_retry' else '_recalled' end);
  return cardinality(v_held);
end;
$$;
comment on function docket.take_back_readings(integer, boolean) is
  'Takes back what is being read by an OCR configuration, and says how many documents.';
