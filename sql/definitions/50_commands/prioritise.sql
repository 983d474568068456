-- Moves accepted documents to another lane, whatever the rules of lanes say. One that is to be recognised already gets a further message
-- in its new lane; whichever of the two messages comes first is the one that counts.
-- Called by: operators. Effects: lane of the jobs, event prioritised; a message for those whose work is due.
-- Errors: ZD002 a document is not in state accepted · ZD020 · ZD021 · ZD073 there is no such lane.
create or replace function docket.prioritise(
  p_jobs uuid[],
  p_lane text,
  p_reason text
)
returns table (job_id uuid, lane text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_due record;
begin
  -- lock, check: while the documents are locked, admission lets none in that stand behind them
  v_jobs := docket.take_documents(p_jobs, p_reason);
  perform docket.end_if_left_open();
  if not exists (select from docket.lanes l where l.lane = p_lane) then
    raise exception 'lane: there is no lane "%"', left(coalesce(p_lane, 'null'), 200)
      using errcode = 'ZD073', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD073');
  end if;

  -- record
  perform docket.record_events(
    v_jobs,
    array_fill('prioritised'::text, array[cardinality(v_jobs)]),
    docket.actor(),
    array_fill(p_reason, array[cardinality(v_jobs)]),
    null,
    null,
    array(
      select json_build_object('from', coalesce(j.lane, 'standard'), 'to', p_lane)::text
      from unnest(v_jobs) with ordinality as n (job_id, place)
      cross join lateral (select j.lane from docket.jobs j where j.job_id = n.job_id limit 1) as j
      order by n.place
    )
  );
  update docket.jobs j set lane = nullif(p_lane, 'standard') where j.job_id = any (v_jobs);

  -- enqueue
  select array_agg(j.job_id) as jobs, array_agg(j.next_task) as tasks, array_agg(j.due_at) as due_at
  into v_due
  from docket.jobs j
  where j.job_id = any (v_jobs) and j.next_task is not null and j.token is null;
  if v_due.jobs is not null then
    perform docket.wake_jobs(v_due.jobs, v_due.tasks, v_due.due_at);
  end if;

  return query select n.job_id, p_lane from unnest(v_jobs) as n (job_id);
end;
$$;
comment on function docket.prioritise(uuid[], text, text) is
  'Moves accepted documents to another lane. Raises ZD002, ZD020, ZD021, ZD073.';
