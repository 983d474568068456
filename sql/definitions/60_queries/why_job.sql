-- What a document waits for: each thing that holds it up, since when, what would help, and the next command.
-- cause is a word for programs: disposed, published, disputed, quarantined, running, retry, due, gate, rate, memory, turn, worker, pool,
-- held_back or outage.
-- Called by: operators, evidence owners, auditors; docket why. Errors: ZD020 there is no such job, or they do not see it.
create or replace function docket.why_job(p_job_id uuid)
returns table (cause text, fact text, since timestamptz, would_help text, next_command text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if not docket.sees_job(p_job_id) then
    raise exception 'job_id: there is no job %', p_job_id using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  return query select h.* from docket.what_holds(p_job_id) h;
end;
$$;
comment on function docket.why_job(uuid) is
  'What a document waits for, since when, what would help, and the next command. Raises ZD020.';
