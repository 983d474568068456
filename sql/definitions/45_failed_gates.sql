-- The gates a result must pass, by document kind and by the OCR configuration that it was read by. Answers the failures in order of
-- weight; none means it passes. Without settings of its own, so that it is inlined. What passes is compared, and nothing more: reasons
-- are worded for what fails, and the text is put together where its kind has patterns.
create or replace function docket.failed_gates(
  p_job_id uuid,
  p_result_sha256 bytea
)
returns table (place integer, code text, reason text)
language sql
stable
as $$
  select row_number() over (order by g.weight, g.reason)::integer, g.code, g.reason
  from docket.results r
  join docket.jobs j on j.job_id = r.job_id
  -- looked up only where some configuration has gates of its own
  cross join lateral (
    select case
        when exists (select from docket.ocr_versions v where v.gates::text <> '{}')
          then (
            select v.gates
            from docket.attempts a
            join docket.ocr_versions v on v.ocr_version = a.ocr_version
            where a.job_id = r.job_id and a.attempt = r.attempt
          )
      end as gates
  ) as o
  cross join lateral docket.gates_by(j.document_kind, o.gates) as k
  cross join lateral (
    select c.weight, c.code, c.reason
    from (
      values
        (
          1, 'PAGE_COUNT_MISMATCH',
          case
            when r.pages_declared <> r.pages_decoded or r.pages_decoded <> r.page_count or r.page_count = 0
              then format('%s pages declared, %s decoded, %s recognised', r.pages_declared, r.pages_decoded, r.page_count)
          end
        ),
        (
          2, 'DECODER_WARNING',
          case when cardinality(r.warnings) > 0 then 'decoder: ' || array_to_string(r.warnings, '; ') end
        ),
        (
          3, 'VALIDATION_REJECTED',
          case
            when r.page_count not between k.min_pages and k.max_pages
              then format('%s pages, %s allows %s to %s', r.page_count, k.document_kind, k.min_pages, k.max_pages)
          end
        ),
        (
          4, 'VALIDATION_REJECTED',
          case
            when r.characters < k.min_characters
              then format('%s characters of text, %s needs %s', r.characters, k.document_kind, k.min_characters)
          end
        ),
        (
          5, 'VALIDATION_REJECTED',
          case
            when r.characters >= k.min_characters and r.confidence < k.min_confidence
              then format('confidence %s, %s needs %s', round(r.confidence::numeric, 1), k.document_kind, k.min_confidence)
          end
        )
    ) as c (weight, code, reason)
    where c.reason is not null
    union all
    select 6, 'VALIDATION_REJECTED', format('required pattern "%s" not found', pattern.pattern)
    from (
      select string_agg(p.text, E'\n' order by p.page_no) as text
      from docket.pages p
      where p.job_id = r.job_id and p.result_sha256 = r.result_sha256 and cardinality(k.required_patterns) > 0
    ) as whole
    cross join unnest(k.required_patterns) as pattern (pattern)
    where coalesce(whole.text, '') !~* pattern.pattern
  ) as g
  where r.job_id = p_job_id and r.result_sha256 = p_result_sha256
$$;
comment on function docket.failed_gates(uuid, bytea) is
  'Gates that a stored result does not pass, the weightiest first; no row means that it passes.';
