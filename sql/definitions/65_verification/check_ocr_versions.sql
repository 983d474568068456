-- That OCR configurations are what was added: each but the first has its event with its hash, and the first is what Docket comes with.
-- Called by: verify_log. Not granted to anyone.
create or replace function docket.check_ocr_versions()
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with added as materialized (
    select (e.detail::json ->> 'ocr_version')::integer as ocr_version, e.detail::json ->> 'ocr_version_sha256' as sha256
    from docket_audit.events e
    where e.job_id = '00000000-0000-0000-0000-000000000000' and e.event = 'ocr_version_added'
    union all
    select 1, encode(docket.ocr_version_hash(1, null, '{}', '{}', '{}'), 'hex')
  ),
  there as materialized (
    select v.ocr_version, encode(docket.ocr_version_hash(v.ocr_version, v.engine, v.parameters, v.pins, v.gates), 'hex') as sha256
    from docket.ocr_versions v
  )
  select 'OCR configurations', count(*), count(*) filter (where c.is_bad),
    (min(array[c.version, c.expected, c.found]) filter (where c.is_bad))[1],
    (min(array[c.version, c.expected, c.found]) filter (where c.is_bad))[2],
    (min(array[c.version, c.expected, c.found]) filter (where c.is_bad))[3]
  from (
    select ocr_version::text as version, a.sha256 is distinct from t.sha256 as is_bad,
      coalesce(a.sha256, 'no such configuration') as expected, coalesce(t.sha256, 'no such configuration') as found
    from added a
    full join there t using (ocr_version)
  ) as c
$$;
comment on function docket.check_ocr_versions() is 'Whether the OCR configurations are those that were added.';
