-- Sends documents back to admission, oldest first, that an outage put in quarantine: those that were stopped by a code which says
-- something of the way and nothing of the document. Of failures that came too often, the first one and the one that came last must be such,
-- and either may be named. What was disposed of, or is being changed right now, is passed over.
-- Called by: operators. Effects: event redriven; first and last code are forgotten; senders are told.
-- Errors: ZD021 · ZD073 there is no such code · ZD074 the limit is not between 1 and 10000 · ZD076 the code is not such a one.
create or replace function docket.redrive(
  p_code text,
  p_since timestamptz,
  p_limit integer,
  p_reason text
)
returns table (job_id uuid, state text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
begin
  -- check
  perform docket.require_reason(p_reason, 'sending documents back');
  if (p_limit between 1 and 10000) is not true then
    raise exception 'limit: % is not between 1 and 10000', coalesce(p_limit::text, 'null')
      using errcode = 'ZD074', hint = 'Call it again for more.';
  end if;
  if not exists (select from docket.failure_codes f where f.code = p_code) then
    raise exception 'code: there is no code "%"', left(coalesce(p_code, 'null'), 200)
      using errcode = 'ZD073', hint = 'Those of what is in quarantine: docket status.';
  end if;
  if not exists (select from docket.failure_codes f where f.code = p_code and f.is_transport) then
    raise exception 'code: "%" is not a code of an outage', left(coalesce(p_code, 'null'), 200)
      using errcode = 'ZD076', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD076');
  end if;

  -- lock
  with stopped as materialized (
    select j.job_id
    from docket.jobs j
    where j.state = 'quarantined' and j.state_at >= coalesce(p_since, '-infinity')
      and case
        when j.last_code <> 'RETRY_EXHAUSTED' then j.last_code = p_code
        else exists (
          select
          from (
            select e.detail::json ->> 'code' as code
            from docket_audit.events e
            where e.job_id = j.job_id and e.event = 'quarantined'
            order by e.seq desc
            limit 1
          ) as e
          join docket.failure_codes l on l.code = e.code and l.is_transport
          join docket.failure_codes f on f.code = j.first_code and f.is_transport
          where p_code in (f.code, l.code)
        )
      end
      and not docket.is_disposed(j.job_id)
    order by j.state_at, j.job_id
    limit p_limit
    for no key update skip locked
  )
  select coalesce(array_agg(s.job_id), '{}') into v_jobs from stopped s;

  -- record
  perform docket.record_events(
    v_jobs,
    array_fill('redriven'::text, array[cardinality(v_jobs)]),
    docket.actor(),
    array_fill(p_reason, array[cardinality(v_jobs)]),
    null,
    null,
    array_fill(json_build_object('code', p_code)::text, array[cardinality(v_jobs)])
  );
  update docket.jobs j set first_code = null, last_code = null where j.job_id = any (v_jobs);

  -- enqueue
  perform docket.order_receipts_of(v_jobs);

  return query select j.job_id, j.state from docket.jobs j where j.job_id = any (v_jobs);
end;
$$;
comment on function docket.redrive(text, timestamptz, integer, text) is
  'Sends documents that an outage stopped back to admission. Raises ZD021, ZD073, ZD074, ZD076.';
