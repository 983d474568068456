-- Puts a message into the queue for each job and task: the job, and a signed reference by which the next attempt may be begun.
-- Messages of a lane go before those of the lanes behind it, and recognition in a reserved lane has a name of its own in the queue,
-- so that some slots can be kept for it.
-- A reference is a JWS (RFC 7515) that binds job, task, attempt, object and time: docs/adr/0012.
-- Called by: record_events, reconcile, begin_attempts, hold_back and prioritise. Not granted to anyone.
create or replace function docket.wake_jobs(
  p_jobs uuid[],
  p_tasks text[],
  p_run_at timestamptz[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform docket_queue.enqueue(
    array_agg(case when s.task = 'ocr' and s.is_reserved then 'ocr_reserved' else s.task end),
    array_agg(s.job_id),
    array_agg(
      s.signed || '.' || docket.base64url(docket.hmac_sha256(s.inner_pad, s.outer_pad, convert_to(s.signed, 'UTF8')))
    ),
    array_agg(s.run_at),
    array_agg(s.rank)
  )
  from (
    select n.task, n.job_id, n.run_at, l.rank, l.is_reserved, k.inner_pad, k.outer_pad,
      k.header || '.' || docket.base64url(
        convert_to(
          -- a quarter of the time of json_build_object, once or more a document; only places are not Docket's own words
          '{"sub":"' || n.job_id || '","aud":"docket_worker","purpose":"' || n.task || '","attempt":' || j.attempt + 1
            || ',"object":' || to_json(p.locator) || ',"version":' || coalesce(to_json(p.version)::text, 'null')
            || ',"sha256":"' || encode(j.sha256, 'hex')
            || '","iat":' || floor(extract(epoch from k.now))::bigint
            || ',"exp":' || ceil(extract(epoch from greatest(n.run_at, k.now) + t.reference_valid))::bigint
            || ',"jti":"' || gen_random_uuid() || '"}',
          'UTF8'
        )
      ) as signed
    from unnest(p_jobs, p_tasks, p_run_at) as n (job_id, task, run_at)
    cross join (
      select clock_timestamp() as now, docket.reference_header(k.reference_key_id) as header, k.inner_pad, k.outer_pad
      from docket.reference_keys k
      order by k.reference_key_id desc
      limit 1
    ) as k
    join docket.tasks t on t.task = n.task
    cross join lateral (select j.attempt, j.sha256, j.lane from docket.jobs j where j.job_id = n.job_id limit 1) as j
    join docket.lanes l on l.lane = coalesce(j.lane, 'standard')
    left join lateral (select e.locator, e.version from docket.evidence e where e.job_id = n.job_id limit 1) as e on true
    cross join lateral (
      select e.locator, e.version where e.locator is not null
      union all
      (
        select d.locator, d.version
        from docket.deliveries d
        where e.locator is null and d.job_id = n.job_id
        order by d.delivery_id desc
        limit 1
      )
    ) as p
    offset 0
  ) as s;
end;
$$;
comment on function docket.wake_jobs(uuid[], text[], timestamptz[]) is
  'Adds a message with a signed reference to the queue for each job and task; a null time means now.';
