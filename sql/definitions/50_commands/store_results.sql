-- Reads results, and writes those of attempts under way that are not stored yet, with their pages. Where a result brings along what the
-- active redaction rules made of all of its pages, that is written too; else it is made later. Answers what was brought: of what is
-- not of the documented shape, nothing; nor of documents that are gone. What is under way is told by the fence of hold_attempts, for jobs
-- that are locked already, stale ones too.
-- A caller that has a fence of its own says so.
-- Called by: record_results and store_reading, with the jobs locked. Not granted to anyone. One statement, so that the JSON of a document
-- is taken apart once; in plpgsql, so that it is planned once.
create or replace function docket.store_results(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[],
  p_configs bytea[],
  p_results json[],
  p_gone uuid[],
  p_is_fenced boolean
)
returns docket.brought_result[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_brought docket.brought_result[];
begin
  with brought as materialized (
    select n.job_id, n.attempt, n.config_sha256, held.is_charged is not null as is_held, held.is_charged is true as is_charged,
      known.is_known is true as is_known, r.*
    from unnest(p_jobs, p_attempts, p_tokens, p_configs, p_results) as n (job_id, attempt, token, config_sha256, result)
    cross join lateral docket.read_result(n.job_id, n.config_sha256, n.result) as r
    left join lateral (
      select j.predicted_pages is not null as is_charged
      from docket.jobs j
      where j.job_id = n.job_id and (p_is_fenced or j.attempt = n.attempt and j.token = n.token)
      limit 1
    ) as held on true
    left join lateral (
      select true as is_known
      from docket.results k
      where k.job_id = n.job_id and k.result_sha256 = r.result_sha256
      limit 1
    ) as known on true
    where n.job_id <> all (p_gone)
  ),
  fresh as materialized (
    select b.* from brought b where b.is_held and not b.is_known
  ),
  stored as (
    insert into docket.results
      (job_id, result_sha256, config_sha256, attempt, pages_declared, pages_decoded, page_count, characters, confidence,
       warnings, recorded_at)
    select f.job_id, f.result_sha256, f.config_sha256, f.attempt, f.pages_declared, f.pages_decoded, f.page_count,
      f.characters, f.confidence, f.warnings, clock_timestamp()
    from fresh f
  ),
  stored_pages as (
    insert into docket.pages
      (job_id, result_sha256, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
       words)
    select f.job_id, f.result_sha256, p.page_no, p.width, p.height, p.dpi, p.rotation, p.angle, p.verdict, p.confidence, p.text,
      p.words
    from fresh f
    cross join lateral unnest(f.pages) as p
  ),
  -- pages are numbered from 1 without a gap, so that a page has its place in the array
  redacted as materialized (
    select f.job_id, f.attempt, f.rule_set_id, f.page_count, f.pages[r.page_no] as page, r.*
    from fresh f
    cross join lateral json_to_recordset(f.redacted) as r (page_no integer, text text, words json, masks json)
    where f.rule_set_id in (select s.rule_set_id from docket.rule_sets s) and r.page_no between 1 and f.page_count
  ),
  complete as (
    insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
    select r.rule_set_id, r.job_id, r.attempt, r.page_count, sum(json_array_length(r.masks)), clock_timestamp()
    from redacted r
    group by r.job_id, r.attempt, r.rule_set_id, r.page_count
    having count(distinct r.page_no) = r.page_count
    on conflict do nothing
    returning rule_set_id, job_id, attempt
  ),
  stored_redactions as (
    insert into docket.redacted_pages
      (rule_set_id, job_id, attempt, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence,
       text, words, masks)
    select c.rule_set_id, c.job_id, c.attempt, r.page_no, (r.page).width, (r.page).height, (r.page).dpi, (r.page).rotation,
      (r.page).angle, (r.page).verdict, (r.page).confidence, r.text, r.words, r.masks
    from complete c
    join redacted r on r.job_id = c.job_id and r.attempt = c.attempt and r.rule_set_id = c.rule_set_id
  )
  select array_agg(
    row(
      b.job_id, b.attempt, b.is_held, b.config_sha256, b.result_sha256, b.is_known, b.pages_declared, b.is_charged
    )::docket.brought_result
  )
  into v_brought
  from brought b;
  return v_brought;
end;
$$;
comment on function docket.store_results(uuid[], integer[], uuid[], bytea[], json[], uuid[], boolean) is
  'Reads results and writes those, with their pages, that are not stored yet. What was brought.';
