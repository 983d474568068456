-- The documents of a source that wait for admission in a lane (null: the standard one), oldest first: those that were
-- accepted after a time, and are of no kind that is closed.
-- The standard lane has an index of its own, so each of the two has a branch, as wherever else what waits is read in order. Without
-- rights of its own, so that it is inlined.
-- Called by: admissible_jobs, waiting_since, admission_state, place_in_line and why_source.
create or replace function docket.waiting_jobs(
  p_source_id text,
  p_lane text,
  p_closed_kinds text[],
  p_since timestamptz,
  p_limit bigint
)
returns table (job_id uuid, delivery_id bigint, accepted_at timestamptz)
language sql
stable
as $$
  (
    select j.job_id, j.delivery_id, j.accepted_at
    from docket.jobs j
    where p_lane is null and j.lane is null and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
      and j.document_kind <> all (p_closed_kinds) and j.accepted_at > p_since
    order by j.accepted_at
    limit p_limit
  )
  union all
  (
    select j.job_id, j.delivery_id, j.accepted_at
    from docket.jobs j
    where j.lane = p_lane and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
      and j.document_kind <> all (p_closed_kinds) and j.accepted_at > p_since
    order by j.accepted_at
    limit p_limit
  )
$$;
comment on function docket.waiting_jobs(text, text, text[], timestamptz, bigint) is
  'Documents of a source that wait for admission in a lane, oldest first.';
