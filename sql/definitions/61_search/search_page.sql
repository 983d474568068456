-- Text and words of a page as a rule set left them. Called by: show_page. Not granted to anyone.
create or replace function docket.search_page(
  p_rule_set_id integer,
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
  where p.job_id = p_document and p.rule_set_id = p_rule_set_id and p.attempt = p_attempt and p.page_no = p_page_no
$$;
comment on function docket.search_page(integer, uuid, integer, integer) is 'Text and words of a page as a rule set left them.';
