-- Has the published documents that are named verified by replay, such as disputed ones when what differed was restored.
-- Called by: operators, auditors. Effects: replay_runs, replay_tasks.
-- Errors: ZD020 there is no such document · ZD021 · ZD030 it was disposed of · ZD056 it is not published, or none is named.
create or replace function docket.replay_documents(
  p_jobs uuid[],
  p_is_reread boolean,
  p_reason text
)
returns table (replay_id integer, population bigint, sample integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_jobs uuid[];
  v_bad uuid;
begin
  -- check
  perform docket.require_reason(p_reason, 'a replay');
  v_jobs := docket.require_seen(p_jobs);
  select n.job_id into v_bad from unnest(v_jobs) as n (job_id) where docket.is_disposed(n.job_id) limit 1;
  if found then
    raise exception 'job_id: document % was disposed of', v_bad using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  select j.job_id into v_bad from docket.jobs j where j.job_id = any (v_jobs) and j.state <> 'published' limit 1;
  if found or v_jobs = '{}' then
    raise exception 'job_id: document % is not published', coalesce(v_bad::text, 'null')
      using errcode = 'ZD056', hint = 'Name published documents: what is not published has nothing to be compared with.';
  end if;

  -- record, enqueue
  return query
  select * from docket.begin_replay(v_jobs, null, null, '', null, coalesce(p_is_reread, false), false, p_reason);
end;
$$;
comment on function docket.replay_documents(uuid[], boolean, text) is
  'Has the published documents that are named verified by replay. Raises ZD020, ZD021, ZD030, ZD056.';
