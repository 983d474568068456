-- Since when the result of an attempt is, or was, the one of its document, until when, and whether it still is: to who acts, of
-- documents that they see. Nulls and false for a result that was never published.
-- Called by: docket_api.results, for rows that the reader sees.
create or replace function docket.course_of_result(
  p_job_id uuid,
  p_attempt integer,
  out published_at timestamptz,
  out superseded_at timestamptz,
  out is_current boolean
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- one that came back is the newest of its rows
  select h.published_at, h.superseded_at, h.is_current
  into course_of_result.published_at, course_of_result.superseded_at, course_of_result.is_current
  from docket.result_history h
  where h.job_id = p_job_id and h.attempt = p_attempt and docket.sees_job(p_job_id)
  order by h.seq desc
  limit 1;
  course_of_result.is_current := coalesce(course_of_result.is_current, false);
end;
$$;
comment on function docket.course_of_result(uuid, integer) is
  'Since when a result is or was the one of its document, until when, and whether it is, to who acts.';
