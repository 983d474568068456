-- Stores what OCR made of a document and lets the gates decide: validated, or quarantined with reasons.
-- Called by: the ocr task. Effects: results and pages (once for each hash), event extracted or quarantined; publish becomes due.
-- A result that is already there is noted as result_duplicate, whoever brings it; a late worker can do no more than that.
-- Errors: ZD041 a result is not of the documented shape.
create or replace function docket.record_results(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[],
  p_configs bytea[],
  p_results json[]
)
returns table (job_id uuid, outcome text, code text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_held uuid[];
  v_tokens uuid[];
  v_row record;
  v_existed boolean;
begin
  -- lock
  perform from docket.jobs j where j.job_id = any (p_jobs) order by j.job_id for no key update;
  select array_agg(h.job_id), array_agg(h.token)
  into v_held, v_tokens
  from docket.hold_attempts(p_jobs, p_attempts, p_tokens) h;

  for v_row in
    select n.job_id, n.attempt, n.config_sha256, n.result,
      (n.job_id, n.token) in (select * from unnest(v_held, v_tokens)) as is_held,
      docket.hash_of_result(n.job_id, n.config_sha256, n.result) as result_sha256
    from unnest(p_jobs, p_attempts, p_tokens, p_configs, p_results) as n (job_id, attempt, token, config_sha256, result)
    order by n.job_id
  loop
    -- check
    if v_row.result_sha256 is null then
      raise exception 'result of job % is not of the documented shape', v_row.job_id
        using errcode = 'ZD041', hint = 'See docs/audit-log.md.';
    end if;
    job_id := v_row.job_id;
    code := null;
    v_existed := exists (
      select from docket.results r where r.job_id = v_row.job_id and r.result_sha256 = v_row.result_sha256
    );
    if v_existed then
      perform docket.record_events(
        array[v_row.job_id], array['result_duplicate'], docket.actor(), null, null, array[v_row.attempt],
        array[json_build_object('result_sha256', encode(v_row.result_sha256, 'hex'))::text]
      );
    end if;
    if not v_row.is_held then
      outcome := case when v_existed then 'duplicate' else 'stale' end;
      return next;
      continue;
    end if;

    -- record
    if not v_existed then
      perform docket.store_result(v_row.job_id, v_row.attempt, v_row.config_sha256, v_row.result_sha256, v_row.result);
    end if;
    update docket.jobs j set result_sha256 = v_row.result_sha256 where j.job_id = v_row.job_id;

    -- enqueue
    select v.outcome, v.code into outcome, code
    from docket.pass_gates(v_row.job_id, v_row.attempt, v_row.result_sha256) v;
    return next;
  end loop;
end;
$$;
comment on function docket.record_results(uuid[], integer[], uuid[], bytea[], json[]) is
  'Stores results and applies the gates. Outcome of each: validated, quarantined, duplicate or stale. Raises ZD041.';
