-- The validation gates: a result that passes makes its job validated, any other quarantines it with the reasons.
-- Called by: record_results, with the jobs locked and the results stored. Not granted to anyone.
create or replace function docket.pass_gates(
  p_brought docket.brought_result[],
  p_goes_on boolean default false
)
returns table (
  job_id uuid,
  attempt integer,
  outcome text,
  code text,
  next_attempt integer,
  next_token uuid,
  seconds double precision
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_judged record;
  v_tokens uuid[];
begin
  -- check
  select array_agg(b.job_id) as jobs, array_agg(b.attempt) as attempts, array_agg(b.result_sha256) as results, array_agg(gates.code) as codes,
    array_agg(gates.reason) as reasons,
    array_agg(case when gates.code is null then 'extracted' else 'quarantined' end) as events,
    -- json_build_object takes several times as long; only the reasons are not Docket's own words
    array_agg(
      '{"result_sha256" : "' || encode(r.result_sha256, 'hex') || '", "config_sha256" : "' || encode(r.config_sha256, 'hex')
        || '", "pages" : ' || r.page_count || ', "characters" : ' || r.characters || ', "confidence" : ' || r.confidence
        || ', "reasons" : ' || coalesce(array_to_json(gates.reasons)::text, 'null') || '}'
    ) as details
  into v_judged
  from unnest(p_brought) as b
  join docket.results r on r.job_id = b.job_id and r.result_sha256 = b.result_sha256
  cross join lateral (
    select min(g.code) filter (where g.place = 1) as code, string_agg(g.reason, '; ' order by g.place) as reason,
      array_agg(g.reason order by g.place) as reasons
    from docket.failed_gates(b.job_id, b.result_sha256) g
  ) as gates
  where b.is_held;
  if v_judged.jobs is null then
    return;
  end if;

  -- record
  perform docket.end_attempts(v_judged.jobs, v_judged.attempts, 'done', v_judged.codes, v_judged.reasons);
  if exists (select from docket.breakers) then
    perform docket.note_successes(v_judged.jobs, v_judged.attempts);
  end if;
  update docket.jobs j
  set first_code = coalesce(j.first_code, n.code), last_code = n.code
  from unnest(v_judged.jobs, v_judged.codes) as n (job_id, code)
  where j.job_id = n.job_id and n.code is not null;

  -- enqueue: no message where whoever brought them goes on
  if p_goes_on then
    v_tokens := docket.open_publishing(v_judged.jobs, v_judged.attempts, v_judged.codes);
  end if;
  perform docket.record_events(
    v_judged.jobs,
    v_judged.events,
    docket.actor(),
    v_judged.reasons,
    v_judged.codes,
    v_judged.attempts,
    v_judged.details,
    null,
    v_judged.results,
    v_tokens
  );
  return query
  select n.job_id, n.attempt, case when n.code is null then 'validated' else 'quarantined' end, n.code,
    case when n.token is not null then n.attempt + 1 end, n.token,
    case when n.token is not null then extract(epoch from t.deadline)::double precision end
  from unnest(v_judged.jobs, v_judged.attempts, v_judged.codes, v_tokens) as n (job_id, attempt, code, token)
  join docket.tasks t on t.task = 'publish';
end;
$$;
comment on function docket.pass_gates(docket.brought_result[], boolean) is
  'Applies the gates of the document kinds to stored results and records extracted or quarantined.';
