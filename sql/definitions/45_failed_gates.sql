-- The gates a result must pass, by document kind. Answers the failures in order of weight; none means it passes.
-- Without settings of its own, so that it is inlined.
create or replace function docket.failed_gates(
  p_job_id uuid,
  p_result_sha256 bytea
)
returns table (place integer, code text, reason text)
language sql
stable
as $$
  with facts as (
    select r.*, k.document_kind, k.min_pages, k.max_pages, k.min_characters, k.min_confidence, k.required_patterns,
      (
        select string_agg(p.text, E'\n' order by p.page_no)
        from docket.pages p
        where p.job_id = r.job_id and p.result_sha256 = r.result_sha256
      ) as text
    from docket.results r
    join docket.jobs j on j.job_id = r.job_id
    join docket.document_kinds k on k.document_kind = j.document_kind
    where r.job_id = p_job_id and r.result_sha256 = p_result_sha256
  ),
  failures as (
    select 1 as weight, 'PAGE_COUNT_MISMATCH' as code,
      format('%s pages declared, %s decoded, %s recognised', f.pages_declared, f.pages_decoded, f.page_count) as reason
    from facts f
    where f.pages_declared <> f.pages_decoded or f.pages_decoded <> f.page_count or f.page_count = 0
    union all
    select 2, 'DECODER_WARNING', 'decoder: ' || array_to_string(f.warnings, '; ')
    from facts f
    where cardinality(f.warnings) > 0
    union all
    select 3, 'VALIDATION_REJECTED',
      format('%s pages, %s allows %s to %s', f.page_count, f.document_kind, f.min_pages, f.max_pages)
    from facts f
    where f.page_count not between f.min_pages and f.max_pages
    union all
    select 4, 'VALIDATION_REJECTED',
      format('%s characters of text, %s needs %s', f.characters, f.document_kind, f.min_characters)
    from facts f
    where f.characters < f.min_characters
    union all
    select 5, 'VALIDATION_REJECTED',
      format('confidence %s, %s needs %s', round(f.confidence::numeric, 1), f.document_kind, f.min_confidence)
    from facts f
    where f.characters >= f.min_characters and f.confidence < f.min_confidence
    union all
    select 6, 'VALIDATION_REJECTED', format('required pattern "%s" not found', pattern.pattern)
    from facts f
    cross join lateral unnest(f.required_patterns) as pattern (pattern)
    where coalesce(f.text, '') !~* pattern.pattern
  )
  select row_number() over (order by f.weight, f.reason)::integer, f.code, f.reason from failures f
$$;
comment on function docket.failed_gates(uuid, bytea) is
  'Gates that a stored result does not pass, the weightiest first; no row means that it passes.';
