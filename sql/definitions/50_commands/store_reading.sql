-- Stores what was read again of a published document, as an attempt of the document like any other, so that its number and the job name
-- the result everywhere; and says by which gates it is refused, those of the OCR configuration of the attempt.
-- Called by: supersede_result, compare_reading, which take all of it back where the result is not to be kept; with the job locked. Not
-- granted to anyone. Effects: jobs.attempt, attempts, results, pages, redactions. A result that was stored before is not stored again.
-- Errors: ZD041 it is not of the documented shape.
create or replace function docket.store_reading(
  p_rereading_id bigint,
  p_attempt integer,
  p_config_sha256 bytea,
  p_result json
)
returns table (job_id uuid, attempt integer, result_sha256 bytea, codes text[], reasons text[])
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  update docket.jobs j
  set attempt = j.attempt + 1
  from docket.rereadings r
  where r.rereading_id = p_rereading_id and j.job_id = r.job_id
  returning j.job_id, j.attempt into job_id, attempt;
  insert into docket.attempts (job_id, attempt, task, token, lease_id, started_at, deadline, ended_at, outcome, ocr_version)
  select store_reading.job_id, store_reading.attempt, 'ocr', a.token, a.lease_id, a.started_at, a.deadline, clock_timestamp(), 'done',
    r.ocr_version
  from docket.reread_attempts a
  join docket.rereadings r on r.rereading_id = a.rereading_id
  where a.rereading_id = p_rereading_id and a.attempt = p_attempt;

  begin
    select b.result_sha256
    into result_sha256
    from unnest(
      docket.store_results(array[job_id], array[attempt], array[null::uuid], array[p_config_sha256], array[p_result], '{}', true)
    ) as b;
    if result_sha256 is null then
      raise exception 'its pages are not as documented, or the job was never verified' using errcode = 'data_exception';
    end if;
  exception
    when data_exception or not_null_violation or check_violation or foreign_key_violation then
      raise exception 'a result is not of the documented shape: %', sqlerrm using errcode = 'ZD041', hint = 'See docs/audit-log.md.';
  end;
  select array_agg(g.code order by g.place), array_agg(g.reason order by g.place)
  into codes, reasons
  from docket.failed_gates(job_id, result_sha256) g;
  return next;
end;
$$;
comment on function docket.store_reading(bigint, integer, bytea, json) is
  'Stores what was read again of a document as an attempt of its own; the gates that it does not pass. Raises ZD041.';
