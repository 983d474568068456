-- In what a document that was recognised anew under the same configuration differs from what was published: the pages, each by
-- salted hashes of its bytes in docs/audit-log.md; or, where all of them are the same, the hash of the result.
-- Called by: replay_differences. Not granted to anyone.
create or replace function docket.reading_differences(
  p_job_id uuid,
  p_config_sha256 bytea,
  p_result json
)
returns table (checked text, page_no integer, expected text, found text)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_found bytea := (select h.result_sha256 from docket.read_result(p_job_id, p_config_sha256, p_result) h);
  v_expected bytea := (select j.result_sha256 from docket.jobs j where j.job_id = p_job_id);
  v_salt bytea := (select s.salt from docket.job_salts s where s.job_id = p_job_id);
begin
  if v_found = v_expected then
    return;
  end if;
  return query
  select 'reading', coalesce(o.page_no, n.page_no), encode(sha256(v_salt || o.bytes), 'hex'), encode(sha256(v_salt || n.bytes), 'hex')
  from (
    select p.page_no,
      docket.page_bytes(
        p.page_no, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees, p.confidence, p.verdict, p.text, p.words
      ) as bytes
    from docket.pages p
    where p.job_id = p_job_id and p.result_sha256 = v_expected
  ) as o
  full join (
    select (p.page ->> 'page_no')::integer as page_no,
      docket.page_bytes(
        (p.page ->> 'page_no')::integer, (p.page ->> 'width')::integer, (p.page ->> 'height')::integer,
        (p.page ->> 'dpi')::real, (p.page ->> 'rotation')::integer, (p.page ->> 'angle')::real,
        (p.page ->> 'confidence')::real, p.page ->> 'verdict', p.page ->> 'text', p.page -> 'words'
      ) as bytes
    from json_array_elements(p_result -> 'pages') as p (page)
  ) as n on n.page_no = o.page_no
  where o.bytes is distinct from n.bytes
  order by 2;
  if not found then
    return query select 'reading', null::integer, encode(v_expected, 'hex'), encode(v_found, 'hex');
  end if;
end;
$$;
comment on function docket.reading_differences(uuid, bytea, json) is
  'In what a document that was recognised anew differs from what was published, page by page.';
