-- Has the published documents whose text an OCR configuration read, such as one that was rolled back, read again by another: at most so
-- many at a time, in the order of their ids. Those that have an order by that other one already, or that it read as they are or not well
-- enough, are left out, so that the same call goes on where the last one ended; it answers nothing once there is nothing left.
-- What was published before there were several counts as read by the first.
-- Called by: operators. Effects: those of order_rereadings. Answers the orders.
-- Errors: ZD021 · ZD082 there is no such OCR configuration · ZD084 it was rolled back · ZD085 the limit is not between 1 and 10000.
create or replace function docket.order_rereadings_of(
  p_read_by integer,
  p_version integer,
  p_reason text,
  p_limit integer
)
returns table (rereading_id bigint, job_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
begin
  -- check
  perform docket.require_reason(p_reason, 'a re-reading');
  perform docket.require_ocr_version(p_version);
  if not exists (select from docket.ocr_versions v where v.ocr_version = p_read_by) then
    raise exception 'read_by: there is no OCR configuration %', coalesce(p_read_by::text, 'null')
      using errcode = 'ZD082', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD082');
  end if;
  if (p_limit between 1 and 10000) is not true then
    raise exception 'limit: % is not between 1 and 10000', coalesce(p_limit::text, 'null')
      using errcode = 'ZD085', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD085');
  end if;

  -- the first one's are found among all documents; those of others by the attempts that bear their number
  v_jobs := array(
    select j.job_id
    from (
      select distinct a.job_id
      from docket.attempts a
      where p_read_by <> 1 and a.ocr_version = p_read_by and a.ocr_version <> 1
      union all
      select k.job_id from docket.jobs k where p_read_by = 1 and k.state = 'published'
    ) as c
    cross join lateral (select * from docket.jobs j where j.job_id = c.job_id limit 1) as j
    cross join lateral (
      select a.ocr_version from docket.attempts a where a.job_id = j.job_id and a.attempt = j.result_attempt limit 1
    ) as a
    where j.state = 'published' and coalesce(a.ocr_version, 1) = p_read_by and not docket.is_disposed(j.job_id)
      and not exists (
        select
        from docket.rereadings r
        where r.job_id = j.job_id and r.trial_id is null and r.ocr_version = p_version
          and (r.ended_at is null or r.outcome in ('unchanged', 'rejected'))
      )
    order by j.job_id
    limit p_limit
  );

  -- lock, record, enqueue
  if v_jobs <> '{}' then
    return query select * from docket.order_rereadings(v_jobs, p_version, p_reason);
  end if;
end;
$$;
comment on function docket.order_rereadings_of(integer, integer, text, integer) is
  'Has published documents that one OCR configuration read, at most so many, read again by another. Raises ZD021, ZD082, ZD084, ZD085.';
