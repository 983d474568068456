-- Records how what was read for a trial differs from what is published: the counts and places that the worker brings, and what the
-- database knows of time and gates. What was read is stored for the gates to judge, and taken back at once: nothing of it is kept.
-- Called by: record_rereadings, with the job locked. Not granted to anyone. Effects: trial_comparisons, and those of end_reread_attempt.
-- Errors: ZD041 the result or the comparison is not of the documented shape.
create or replace function docket.compare_reading(
  p_rereading_id bigint,
  p_attempt integer,
  p_config_sha256 bytea,
  p_result json,
  p_comparison json
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_read record;
begin
  -- check
  begin
    select * into strict v_read from docket.store_reading(p_rereading_id, p_attempt, p_config_sha256, p_result);
    raise exception 'nothing of it is kept' using errcode = 'ZD087';
  exception
    when sqlstate 'ZD087' then
      null;
  end;

  -- record
  begin
    insert into docket.trial_comparisons
      (trial_id, job_id, published_sha256, config_sha256, pages_before, pages_after, characters_before, characters_after,
       character_edits, words_before, words_after, words_kept, fields_before, fields_after, fields_kept, confidence_before,
       confidence_after, seconds_before, seconds_after, failed_gates, pages)
    select r.trial_id, r.job_id, a.published_sha256, p_config_sha256, c.pages_before, c.pages_after, c.characters_before,
      c.characters_after, c.character_edits, c.words_before, c.words_after, c.words_kept, c.fields_before, c.fields_after,
      c.fields_kept, c.confidence_before, c.confidence_after, before.seconds, extract(epoch from clock_timestamp() - a.started_at),
      coalesce(v_read.codes, '{}'), c.pages
    from docket.rereadings r
    join docket.reread_attempts a on a.rereading_id = r.rereading_id and a.attempt = p_attempt
    cross join json_to_record(p_comparison) as c (
      pages_before integer, pages_after integer, characters_before integer, characters_after integer, character_edits integer,
      words_before integer, words_after integer, words_kept integer, fields_before integer, fields_after integer,
      fields_kept integer, confidence_before real, confidence_after real, pages json
    )
    left join lateral (
      select extract(epoch from b.ended_at - b.started_at)::double precision as seconds
      from docket.results p
      join docket.attempts b on b.job_id = p.job_id and b.attempt = p.attempt
      where p.job_id = r.job_id and p.result_sha256 = a.published_sha256
    ) as before on true
    where r.rereading_id = p_rereading_id;
  exception
    when data_exception or not_null_violation or check_violation then
      raise exception 'a comparison is not of the documented shape: %', sqlerrm
        using errcode = 'ZD041', hint = 'See docs/trials.md.';
  end;
  perform docket.end_reread_attempt(p_rereading_id, p_attempt, 'compared');
end;
$$;
comment on function docket.compare_reading(bigint, integer, bytea, json, json) is
  'Records how what was read for a trial differs from what is published; nothing of it is kept. Raises ZD041.';
