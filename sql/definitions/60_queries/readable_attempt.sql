-- Attempt whose result is the text of a document: that of the published result, else of the newest.
-- Called by: note_reading and read_text. Not granted to anyone.
create or replace function docket.readable_attempt(p_job_id uuid)
returns integer
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select r.attempt
  from docket.jobs j
  join docket.results r on r.job_id = j.job_id
  where j.job_id = p_job_id
  order by (r.attempt = j.result_attempt) is true desc, r.attempt desc
  limit 1
$$;
comment on function docket.readable_attempt(uuid) is
  'Attempt that made the text of a document: the published one, else the newest; null where there is none.';
