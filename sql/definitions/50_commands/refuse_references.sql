-- Records references that were refused, at most ten an hour for each job, so that whoever floods the queue does not flood the log.
-- Of a job that does not exist nothing can be recorded. What the message said is not believed and not kept: its hash is.
-- Called by: begin_attempts, with the jobs locked. Not granted to anyone. Effects: events reference_refused.
create or replace function docket.refuse_references(
  p_refused docket.judged_reference[],
  p_refs text[],
  p_task text,
  p_worker text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_turn record;
begin
  -- one event of a job at a time
  for v_turn in
    select array_agg(n.job_id) as jobs, array_agg(f.code) as codes, array_agg(f.meaning) as reasons,
      array_agg(
        json_build_object(
          'task', p_task, 'worker', p_worker, 'ref_sha256', encode(sha256(convert_to(p_refs[n.message_no], 'UTF8')), 'hex')
        )::text
      ) as details
    from (
      select r.*, row_number() over (partition by r.job_id order by r.message_no) as turn
      from unnest(p_refused) r
    ) as n
    join docket.failure_codes f on f.code = 'REFERENCE_' || upper(n.verdict)
    where n.turn + (
      select count(*)
      from docket_audit.events e
      where e.job_id = n.job_id and e.event = 'reference_refused' and e.at > clock_timestamp() - interval '1 hour'
    ) <= 10
    group by n.turn
    order by n.turn
  loop
    perform docket.record_events(
      v_turn.jobs,
      array_fill('reference_refused'::text, array[cardinality(v_turn.jobs)]),
      docket.actor(),
      v_turn.reasons,
      v_turn.codes,
      null,
      v_turn.details
    );
  end loop;
end;
$$;
comment on function docket.refuse_references(docket.judged_reference[], text[], text, text) is
  'Records references that were refused, at most ten an hour for each job.';
