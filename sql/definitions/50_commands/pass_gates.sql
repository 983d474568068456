-- The validation gates: a result that passes makes its job validated, any other quarantines it with the reasons.
-- Called by: record_results, with the job locked. Not granted to anyone.
create or replace function docket.pass_gates(
  p_job_id uuid,
  p_attempt integer,
  p_result_sha256 bytea
)
returns table (outcome text, code text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first text;
  v_code text;
  v_reasons text[];
  v_detail json;
begin
  -- check
  select min(g.code) filter (where g.place = 1), array_agg(g.reason order by g.place)
  into v_code, v_reasons
  from docket.failed_gates(p_job_id, p_result_sha256) g;
  select json_build_object(
    'result_sha256', encode(r.result_sha256, 'hex'), 'config_sha256', encode(r.config_sha256, 'hex'),
    'pages', r.page_count, 'characters', r.characters, 'confidence', r.confidence, 'reasons', v_reasons
  )
  into v_detail
  from docket.results r
  where r.job_id = p_job_id and r.result_sha256 = p_result_sha256;

  -- record
  if v_code is null then
    perform docket.end_attempts(array[p_job_id], array[p_attempt], 'done');
  else
    perform docket.end_attempts(
      array[p_job_id], array[p_attempt], 'failed', array[v_code], array[array_to_string(v_reasons, '; ')]
    );
    update docket.jobs j
    set first_code = coalesce(j.first_code, v_code), last_code = v_code, tries = 0
    where j.job_id = p_job_id;
  end if;

  -- enqueue
  perform docket.record_events(
    array[p_job_id],
    array[case when v_code is null then 'extracted' else 'quarantined' end],
    docket.actor(),
    array[nullif(array_to_string(v_reasons, '; '), '')],
    array[v_code],
    array[p_attempt],
    array[v_detail::text]
  );
  outcome := case when v_code is null then 'validated' else 'quarantined' end;
  code := v_code;
  return next;
end;
$$;
comment on function docket.pass_gates(uuid, integer, bytea) is
  'Applies the gates of the document kind to a stored result and records extracted or quarantined.';
