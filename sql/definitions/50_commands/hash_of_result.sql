-- The salted hash of a result as a worker brings it; no row when the shape is wrong or the job was
-- never verified. Without settings of its own, so that it is inlined.
-- Called by: record_results. Not granted to anyone.
create or replace function docket.hash_of_result(
  p_job_id uuid,
  p_config_sha256 bytea,
  p_result json
)
returns table (result_sha256 bytea)
language sql
stable
as $$
  select docket.result_hash(
    s.salt, e.sha256, p_config_sha256, (p_result ->> 'pages_declared')::integer, (p_result ->> 'pages_decoded')::integer,
    array(select json_array_elements_text(p_result -> 'warnings')), pages.page_count, pages.bytes
  )
  from docket.evidence e
  join docket.job_salts s on s.job_id = e.job_id
  cross join lateral (
    select count(*)::integer as page_count,
      coalesce(
        string_agg(
          docket.page_bytes(
            (p.page ->> 'page_no')::integer,
            (p.page ->> 'width')::integer,
            (p.page ->> 'height')::integer,
            (p.page ->> 'dpi')::real,
            (p.page ->> 'rotation')::integer,
            (p.page ->> 'angle')::real,
            (p.page ->> 'confidence')::real,
            p.page ->> 'verdict',
            p.page ->> 'text',
            p.page -> 'words'
          ),
          ''::bytea
          order by (p.page ->> 'page_no')::integer
        ),
        ''::bytea
      ) as bytes,
      coalesce(
        bool_and((json_typeof(p.page -> 'words') = 'array' and p.page ->> 'text' is not null) is true)
          and min((p.page ->> 'page_no')::integer) = 1
          and max((p.page ->> 'page_no')::integer) = count(*),
        true
      ) as is_whole
    from json_array_elements(p_result -> 'pages') as p (page)
  ) as pages
  where e.job_id = p_job_id
    and pages.is_whole
    and json_typeof(p_result -> 'pages') = 'array'
    and json_typeof(p_result -> 'warnings') = 'array'
    and octet_length(p_config_sha256) = 32
$$;
comment on function docket.hash_of_result(uuid, bytea, json) is
  'Salted hash of a result as brought by a worker; no row when it is malformed or the job was never verified.';
