-- Writes results and their pages: those of attempts under way that are not stored yet. Where a result brings along what the
-- active redaction rules made of all of its pages, that is written too; else it is made later.
-- Called by: record_results, with the jobs locked. Not granted to anyone.
create or replace function docket.store_results(p_brought docket.brought_result[])
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into docket.results
    (job_id, result_sha256, config_sha256, attempt, pages_declared, pages_decoded, page_count, characters, confidence,
     warnings, recorded_at)
  select b.job_id, b.result_sha256, b.config_sha256, b.attempt,
    (b.result ->> 'pages_declared')::integer,
    (b.result ->> 'pages_decoded')::integer,
    pages.page_count,
    pages.characters,
    pages.confidence,
    array(select json_array_elements_text(b.result -> 'warnings')),
    clock_timestamp()
  from unnest(p_brought) as b
  cross join lateral (
    select count(p.page)::integer as page_count,
      coalesce(sum(length(regexp_replace(p.page ->> 'text', '\s', '', 'g'))), 0)::integer as characters,
      coalesce(avg((p.page ->> 'confidence')::real) filter (where p.page ->> 'verdict' = 'text'), 0)::real as confidence
    from json_array_elements(b.result -> 'pages') as p (page)
  ) as pages
  where b.is_held and not b.is_known;

  insert into docket.pages
    (job_id, result_sha256, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words)
  select b.job_id, b.result_sha256,
    (p.page ->> 'page_no')::integer,
    (p.page ->> 'width')::integer,
    (p.page ->> 'height')::integer,
    (p.page ->> 'dpi')::real,
    (p.page ->> 'rotation')::integer,
    (p.page ->> 'angle')::real,
    p.page ->> 'verdict',
    (p.page ->> 'confidence')::real,
    p.page ->> 'text',
    p.page -> 'words'
  from unnest(p_brought) as b
  cross join lateral json_array_elements(b.result -> 'pages') as p (page)
  where b.is_held and not b.is_known;

  -- apart, so that the JSON of a document is taken apart once and not for every page of it
  with brought as materialized (
    select b.job_id, b.attempt, b.result -> 'pages' as pages, b.result -> 'redaction' -> 'pages' as redacted,
      (b.result -> 'redaction' ->> 'rule_set_id')::integer as rule_set_id
    from unnest(p_brought) as b
    where b.is_held and not b.is_known
  ),
  pages as materialized (
    select b.job_id, b.attempt, s.rule_set_id, p.page ->> 'page_no' as page_no, p.page
    from brought b
    join docket.rule_sets s on s.rule_set_id = b.rule_set_id
    cross join lateral json_array_elements(b.pages) as p (page)
  ),
  brought_along as materialized (
    select b.job_id, b.attempt, r.page ->> 'page_no' as page_no, r.page as redacted
    from brought b
    cross join lateral json_array_elements(b.redacted) as r (page)
  ),
  redacted as materialized (
    select p.job_id, p.attempt, p.rule_set_id, p.page, r.redacted
    from pages p
    left join brought_along r on r.job_id = p.job_id and r.attempt = p.attempt and r.page_no = p.page_no
  ),
  complete as (
    insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
    select r.rule_set_id, r.job_id, r.attempt, count(*), sum(json_array_length(r.redacted -> 'masks')), clock_timestamp()
    from redacted r
    group by r.rule_set_id, r.job_id, r.attempt
    having count(*) = count(r.redacted)
    on conflict do nothing
    returning rule_set_id, job_id, attempt
  )
  insert into docket.redacted_pages
    (rule_set_id, job_id, attempt, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words, masks)
  select c.rule_set_id, c.job_id, c.attempt,
    (r.page ->> 'page_no')::integer,
    (r.page ->> 'width')::integer,
    (r.page ->> 'height')::integer,
    (r.page ->> 'dpi')::real,
    (r.page ->> 'rotation')::integer,
    (r.page ->> 'angle')::real,
    r.page ->> 'verdict',
    (r.page ->> 'confidence')::real,
    r.redacted ->> 'text',
    r.redacted -> 'words',
    r.redacted -> 'masks'
  from complete c
  join redacted r on r.job_id = c.job_id and r.attempt = c.attempt and r.rule_set_id = c.rule_set_id;
$$;
comment on function docket.store_results(docket.brought_result[]) is
  'Writes the results and pages that are not stored yet.';
