-- Text and words of a page as its scope has them. Called by: search_snippet and search_boxes, after search_matched found the
-- page to be the caller's. Not granted to anyone.
create or replace function docket.search_page(
  p_scope integer,
  p_document uuid,
  p_attempt integer,
  p_page_no integer
)
returns table (text text, words json)
language sql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
  select p.text, p.words
  from docket.redacted_pages p
  where p_scope <> 0
    and p.job_id = p_document and p.rule_set_id = p_scope and p.attempt = p_attempt and p.page_no = p_page_no
  union all
  select p.text, p.words
  from docket.results r
  join docket.pages p on p.job_id = r.job_id and p.result_sha256 = r.result_sha256 and p.page_no = p_page_no
  where p_scope = 0 and r.job_id = p_document and r.attempt = p_attempt
$$;
comment on function docket.search_page(integer, uuid, integer, integer) is 'Text and words of a page in a scope.';
