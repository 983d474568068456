-- The first steps of every act of custody: takes the documents in order, each once, and asks for a reason.
-- Called by: the commands of custody. Not granted to anyone. What the act itself needs is said by the guard of the events.
-- Errors: ZD020 there is no such job · ZD021 the reason is missing or has more than 1000 characters.
create or replace function docket.take_documents(
  p_jobs uuid[],
  p_reason text
)
returns uuid[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_jobs uuid[] := array(select distinct n.job_id from unnest(p_jobs) as n (job_id) order by n.job_id);
  v_unknown uuid;
begin
  -- lock
  perform from docket.jobs j where j.job_id = any (v_jobs) order by j.job_id for no key update;

  -- check
  perform docket.require_reason(p_reason, 'an act of custody');
  select n.job_id into v_unknown
  from unnest(v_jobs) as n (job_id)
  where not exists (select from docket.jobs j where j.job_id = n.job_id)
  limit 1;
  if found then
    raise exception 'job_id: there is no job %', v_unknown using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  return v_jobs;
end;
$$;
comment on function docket.take_documents(uuid[], text) is
  'Locks the documents and returns each once, in order, if there is a reason. Raises ZD020, ZD021.';
