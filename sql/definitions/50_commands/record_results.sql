-- Stores what OCR made of documents and lets the gates decide: validated, or quarantined with reasons.
-- Called by: the ocr task. Effects: results and pages (once for each hash), event extracted or quarantined; publish becomes due; the
-- pages of what was charged for pages.
-- A result that is already there is noted as result_duplicate, whoever brings it; a late worker can do no more than that, and of a
-- document that was disposed of not even that.
-- Who goes on publishes at once what is validated: the attempt for it is answered, and there is no message. When the same result is
-- brought again, because the answer was lost, the attempt is answered again.
-- Errors: ZD041 a result is not of the documented shape.
create or replace function docket.record_results(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[],
  p_configs bytea[],
  p_results json[],
  p_goes_on boolean default false
)
returns table (
  job_id uuid,
  attempt integer,
  outcome text,
  code text,
  next_attempt integer,
  next_token uuid,
  seconds double precision
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_gone uuid[];
  v_brought docket.brought_result[];
begin
  -- lock
  perform from docket.jobs j where j.job_id = any (p_jobs) order by j.job_id for no key update;
  -- what is_disposed says, asked of all at once
  v_gone := array(
    select n.job_id
    from docket.disposals d
    join unnest(p_jobs) as n (job_id) on n.job_id = d.job_id
    where d.job_id = any (p_jobs) and d.decision = 'approved' and d.outlived_at is null
  );

  begin
    -- check, record
    v_brought := docket.store_results(p_jobs, p_attempts, p_tokens, p_configs, p_results, v_gone, false);
    if coalesce(cardinality(v_brought), 0) + cardinality(v_gone) <> cardinality(p_jobs) then
      raise exception 'its pages are not as documented, or the job was never verified' using errcode = 'data_exception';
    end if;
    perform docket.note_duplicate_results(v_brought);
    if exists (select from unnest(v_brought) as b where b.is_charged) then
      insert into docket.page_charges (source_id, pages, predicted)
      select j.source_id, b.pages_declared, j.predicted_pages
      from unnest(v_brought) as b
      join docket.jobs j on j.job_id = b.job_id
      where b.is_charged;
    end if;
  exception
    when data_exception or not_null_violation or check_violation then
      raise exception 'a result is not of the documented shape: %', sqlerrm
        using errcode = 'ZD041', hint = 'See docs/audit-log.md.';
  end;
  -- enqueue
  return query
  select * from docket.pass_gates(v_brought, p_goes_on)
  union all
  select b.job_id, b.attempt, case when b.is_known then 'duplicate' else 'stale' end, null, o.*
  from unnest(v_brought) as b
  left join lateral (
    select n.attempt, n.token, extract(epoch from n.deadline - clock_timestamp())::double precision
    from docket.attempts n
    join docket.attempts a on a.job_id = n.job_id and a.attempt = n.attempt - 1 and a.lease_id = n.lease_id
    where p_goes_on and n.job_id = b.job_id and n.attempt = b.attempt + 1 and n.task = 'publish' and n.ended_at is null
      and (a.job_id, a.attempt, a.token) in (select * from unnest(p_jobs, p_attempts, p_tokens))
    limit 1
  ) as o on true
  where b.is_held is not true
  union all
  select n.job_id, n.attempt, 'stale', null, null, null, null
  from unnest(p_jobs, p_attempts) as n (job_id, attempt)
  where n.job_id = any (v_gone);
end;
$$;
comment on function docket.record_results(uuid[], integer[], uuid[], bytea[], json[], boolean) is
  'Stores results and applies the gates. Outcome of each: validated, quarantined, duplicate or stale. Raises ZD041.';
