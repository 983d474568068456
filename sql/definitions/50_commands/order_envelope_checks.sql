-- Has the signatures of documents checked anew: against the anchors and revocation lists of now, for the time when each delivery
-- was received, or for the one that is stated. What is found is recorded beside the earlier checks, and counts from then on.
-- Called by: operators, evidence owners, auditors. Effects: envelope_checks; returns how many deliveries of each document.
-- Errors: ZD020 there is no such document · ZD030 it was disposed of · ZD045 no check can judge for that time.
create or replace function docket.order_envelope_checks(
  p_jobs uuid[],
  p_judged_at timestamptz
)
returns table (job_id uuid, ordered integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_disposed uuid;
begin
  -- check
  v_jobs := docket.require_seen(p_jobs);
  if p_judged_at not between '1970-01-01 00:00:00+00' and clock_timestamp() then
    raise exception 'judged_at: no signature can be judged for %', p_judged_at
      using errcode = 'ZD045', hint = 'State a time that has been, or none.';
  end if;

  -- lock
  perform from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update;
  select n.job_id into v_disposed from unnest(v_jobs) as n (job_id) where docket.is_disposed(n.job_id) limit 1;
  if found then
    raise exception 'job_id: document % was disposed of', v_disposed using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;

  -- enqueue
  return query
  with ordered as (
    insert into docket.envelope_checks as k (delivery_id, job_id, judged_at, ordered_by)
    select d.delivery_id, d.job_id, p_judged_at, docket.actor()
    from unnest(v_jobs) as n (job_id)
    cross join lateral (select * from docket.evidence e where e.job_id = n.job_id limit 1) as e
    cross join lateral (select * from docket.deliveries d where d.job_id = n.job_id offset 0) as d
    where (d.envelope is not null or d.delivery_id = e.delivery_id and e.media_type = 'application/pdf')
      and exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id)
    order by d.delivery_id
    on conflict (delivery_id) do update
    set judged_at = excluded.judged_at, ordered_by = excluded.ordered_by, due_at = excluded.due_at, tries = 0
    returning k.job_id
  )
  select n.job_id, (select count(*)::integer from ordered o where o.job_id = n.job_id)
  from unnest(v_jobs) as n (job_id);
end;
$$;
comment on function docket.order_envelope_checks(uuid[], timestamptz) is
  'Has the signatures of documents checked anew; how many deliveries of each. Raises ZD020, ZD030, ZD045.';
