-- Records how attempts at re-readings ended. A code says why one failed: it is tried again as docket.failure_codes says. Else a result is
-- brought, as record_results takes it, read under the configuration that is named by its hash; of a trial also in what it differs from
-- what was handed out, in counts, as docket.trial_comparisons has them.
-- A trial is compared, and nothing of the result is kept. Any other result supersedes what is published, if it passes the gates and is
-- another one, and if what was published when the attempt began is published still.
-- Called by: the worker, for what it claimed. Effects: rereadings, reread_attempts; trial_comparisons and ocr_trials; or an attempt of the
-- document, its result and pages, and an event superseded or reread_ended.
-- Outcome of each: superseded, unchanged, compared, rejected, failed, overtaken, disposed, retry; or stale, where the attempt is not
-- under way any more.
-- Errors: ZD022 a code is not known · ZD041 a result or comparison is not of the documented shape.
create or replace function docket.record_rereadings(
  p_rereadings bigint[],
  p_attempts integer[],
  p_tokens uuid[],
  p_codes text[],
  p_messages text[],
  p_configs bytea[],
  p_results json[],
  p_comparisons json[]
)
returns table (rereading_id bigint, attempt integer, outcome text, code text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_brought record;
begin
  -- check
  perform docket.require_failure_codes(array_remove(array_remove(array_remove(p_codes, null), 'DISPOSED'), 'OCR_VERSION_WITHDRAWN'));

  -- lock
  perform
  from docket.jobs j
  where j.job_id in (select r.job_id from docket.rereadings r where r.rereading_id = any (p_rereadings))
  order by j.job_id
  for no key update;
  perform from docket.rereadings r where r.rereading_id = any (p_rereadings) order by r.rereading_id for no key update;

  -- record, enqueue
  for v_brought in
    select n.*, r.job_id, r.trial_id, held.is_held is true as is_held, held.published_sha256, j.result_sha256,
      docket.is_disposed(r.job_id) as is_disposed,
      exists (select from docket.ocr_withdrawals w where w.ocr_version = r.ocr_version) as is_withdrawn
    from unnest(p_rereadings, p_attempts, p_tokens, p_codes, p_messages, p_configs, p_results, p_comparisons)
      as n (rereading_id, attempt, token, code, message, config_sha256, result, comparison)
    join docket.rereadings r on r.rereading_id = n.rereading_id
    join docket.jobs j on j.job_id = r.job_id
    left join lateral (
      select true as is_held, a.published_sha256
      from docket.reread_attempts a
      where a.rereading_id = n.rereading_id and a.attempt = n.attempt and a.token = n.token and a.ended_at is null
    ) as held on true
  loop
    rereading_id := v_brought.rereading_id;
    attempt := v_brought.attempt;
    code := null;
    if not v_brought.is_held then
      outcome := 'stale';
    elsif v_brought.is_disposed then
      outcome := 'disposed';
      perform docket.end_rereadings(array[rereading_id], outcome);
    elsif v_brought.is_withdrawn or v_brought.code is not null then
      select f.outcome, f.code
      into outcome, code
      from docket.settle_failed_rereading(rereading_id, attempt, v_brought.code, v_brought.message, 'failed') f;
    elsif v_brought.trial_id is not null then
      outcome := 'compared';
      perform docket.compare_reading(rereading_id, attempt, v_brought.config_sha256, v_brought.result, v_brought.comparison);
    elsif v_brought.published_sha256 <> v_brought.result_sha256 then
      outcome := 'overtaken';
      perform docket.end_reread_attempt(rereading_id, attempt, outcome);
    else
      select s.outcome, s.code
      into outcome, code
      from docket.supersede_result(rereading_id, attempt, v_brought.config_sha256, v_brought.result) s;
    end if;
    return next;
  end loop;
end;
$$;
comment on function docket.record_rereadings(bigint[], integer[], uuid[], text[], text[], bytea[], json[], json[]) is
  'Records how re-readings ended: superseding what is published, compared with it, or not. Raises ZD022, ZD041.';
