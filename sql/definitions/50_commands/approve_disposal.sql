-- Approves requests for disposal: the documents are destroyed at once, with the event, or nothing happens at all. Whoever asked
-- cannot approve.
-- Called by: an evidence owner. Effects: event disposed, disposals, and those of erase_documents.
-- Errors: ZD020 · ZD021 · ZD029 the isolation level · ZD030 disposed of · ZD031 its retention runs · ZD032 on hold
--   · ZD033 they asked for it themselves · ZD034 nobody has asked.
create or replace function docket.approve_disposal(
  p_jobs uuid[],
  p_reason text
)
returns table (job_id uuid, disposed_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
begin
  -- an older snapshot would leave behind what was written while this waited for the locks
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'disposals are approved at the isolation level read committed, not %',
      current_setting('transaction_isolation')
      using errcode = 'ZD029', hint = 'Begin the transaction without another isolation level.';
  end if;

  -- lock: nobody indexes meanwhile, and no rule set lists the documents
  perform from docket.duties d where d.duty = 'search' for update;
  v_jobs := docket.take_documents(p_jobs, p_reason);
  lock table docket.redaction_todo in row exclusive mode;

  -- check, record: the guard of the events says who may, and when
  perform docket.record_custody(
    v_jobs,
    'disposed',
    p_reason,
    array(
      select json_build_object(
        'disposal', d.disposal_id,
        'requested_by', d.requested_by,
        'keys', (select count(*) from docket.object_keys k where k.job_id = n.job_id),
        'pages', (select count(*) from docket.pages p where p.job_id = n.job_id)
      )::text
      from unnest(v_jobs) with ordinality as n (job_id, place)
      left join docket.disposals d on d.job_id = n.job_id and d.decision is null
      order by n.place
    )
  );
  update docket.disposals d
  set decision = 'approved', decided_at = clock_timestamp(), decided_by = docket.actor(), decision_reason = p_reason
  where d.job_id = any (v_jobs) and d.decision is null;
  perform docket.erase_documents(v_jobs);

  return query
  select d.job_id, d.decided_at
  from docket.disposals d
  where d.job_id = any (v_jobs) and d.decision = 'approved' and d.outlived_at is null;
end;
$$;
comment on function docket.approve_disposal(uuid[], text) is
  'Approves requests for disposal and destroys the documents at once. Raises ZD020, ZD021, ZD029, ZD030, ZD031, ZD032, ZD033, ZD034.';
