-- Publishes by compare-and-swap: the job must be validated, and the attempt must be the one under way.
-- Called by: the publish task. Effects: event published; the rule sets that have not redacted it
-- are told to, and so is the search. A worker that comes late is told stale and changes nothing.
create or replace function docket.publish_results(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[]
)
returns table (job_id uuid, attempt integer, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_attempts integer[];
  v_tokens uuid[];
  v_details text[];
begin
  -- lock
  select array_agg(h.job_id), array_agg(h.attempt), array_agg(h.token),
    array_agg('{"result_sha256" : "' || encode(h.result_sha256, 'hex') || '"}')
  into v_jobs, v_attempts, v_tokens, v_details
  from docket.hold_attempts(p_jobs, p_attempts, p_tokens) h
  where h.state = 'validated' and h.result_sha256 is not null;

  -- record
  if v_jobs is not null then
    perform docket.end_attempts(v_jobs, v_attempts, 'done');
    perform docket.record_events(
      v_jobs,
      array_fill('published'::text, array[cardinality(v_jobs)]),
      docket.actor(),
      null,
      null,
      v_attempts,
      v_details
    );

    -- enqueue
    perform docket.have_redacted(v_jobs);
    perform docket.note_for_search(v_jobs, 0);
  end if;

  return query
  select n.job_id, n.attempt,
    case
      when (n.job_id, n.attempt, n.token) in (select * from unnest(v_jobs, v_attempts, v_tokens)) then 'published'
      else 'stale'
    end
  from unnest(p_jobs, p_attempts, p_tokens) as n (job_id, attempt, token);
end;
$$;
comment on function docket.publish_results(uuid[], integer[], uuid[]) is
  'Publishes validated results by compare-and-swap. Outcome of each: published or stale.';
