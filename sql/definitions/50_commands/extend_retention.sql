-- Has documents kept longer than the rule of their kind says. Retention is never shortened.
-- Called by: an evidence owner. Effects: retention_extensions, event retention_extended; stores that enforce retention are told.
-- Errors: ZD020 · ZD021 · ZD030 disposed of · ZD037 the time is not later than what there is.
create or replace function docket.extend_retention(
  p_jobs uuid[],
  p_until timestamptz,
  p_reason text
)
returns table (job_id uuid, retain_until timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_longer record;
begin
  -- lock, check
  v_jobs := docket.take_documents(p_jobs, p_reason);
  if p_until is null or p_until >= '10000-01-01' or p_until <= clock_timestamp() then
    raise exception 'until: % is not a time in the future, before the year 10000', coalesce(p_until::text, 'null')
      using errcode = 'ZD037', hint = 'State until when the documents are to be kept.';
  end if;
  select n.job_id, r.retain_until
  into v_longer
  from unnest(v_jobs) as n (job_id)
  cross join lateral (select docket.retain_until(n.job_id) as retain_until) as r
  where r.retain_until >= p_until
  limit 1;
  if found then
    raise exception 'until: document % is kept until % already', v_longer.job_id, v_longer.retain_until
      using errcode = 'ZD037', hint = 'State a later time.';
  end if;

  -- record
  insert into docket.retention_extensions (job_id, retain_until, reason, extended_by)
  select n.job_id, p_until, p_reason, docket.actor() from unnest(v_jobs) as n (job_id);
  perform docket.record_custody(
    v_jobs,
    'retention_extended',
    p_reason,
    array_fill(
      json_build_object('until', to_char(p_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text,
      array[cardinality(v_jobs)]
    )
  );

  -- enqueue
  perform docket.order_protection(v_jobs);
  return query select n.job_id, p_until from unnest(v_jobs) as n (job_id);
end;
$$;
comment on function docket.extend_retention(uuid[], timestamptz, text) is
  'Has documents kept longer. Raises ZD020, ZD021, ZD030, ZD037.';
