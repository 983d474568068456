-- Withdraws requests for disposal; whoever asked, any evidence owner may.
-- Called by: an evidence owner. Effects: disposals, event disposal_withdrawn.
-- Errors: ZD020 · ZD021 · ZD030 disposed of · ZD034 nobody has asked.
create or replace function docket.withdraw_disposal(
  p_jobs uuid[],
  p_reason text
)
returns table (job_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
begin
  -- lock, check
  v_jobs := docket.take_documents(p_jobs, p_reason);

  -- record
  perform docket.record_custody(
    v_jobs,
    'disposal_withdrawn',
    p_reason,
    array(
      select json_build_object('disposal', d.disposal_id)::text
      from unnest(v_jobs) with ordinality as n (job_id, place)
      left join docket.disposals d on d.job_id = n.job_id and d.decision is null
      order by n.place
    )
  );
  update docket.disposals d
  set decision = 'withdrawn', decided_at = clock_timestamp(), decided_by = docket.actor(), decision_reason = p_reason
  where d.job_id = any (v_jobs) and d.decision is null;
  return query select * from unnest(v_jobs);
end;
$$;
comment on function docket.withdraw_disposal(uuid[], text) is
  'Withdraws requests for disposal. Raises ZD020, ZD021, ZD030, ZD034.';
