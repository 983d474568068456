-- How many documents stand as the OCR configuration left them that a rollback withdrew. They are counted by an index, which the first
-- configuration has none of: of that one nothing is answered.
-- Called by: operators, evidence owners and auditors; docket rollback show. Errors: ZD093 there is no such rollback.
create or replace function docket.rollback_summary(p_rollback integer)
returns table (published bigint, validated bigint, quarantined bigint)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from integer;
begin
  -- check
  select r.from_version into v_from from docket.rollbacks r where r.rollback_id = p_rollback;
  if not found then
    raise exception 'rollback: there is no rollback %', coalesce(p_rollback::text, 'null')
      using errcode = 'ZD093', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD093');
  end if;

  return query
  select count(*) filter (where d.state = 'published'), count(*) filter (where d.state = 'validated'),
    count(*) filter (where d.state = 'quarantined')
  from docket.ocr_version_documents d
  where d.ocr_version = v_from and d.ocr_version <> 1
  having v_from <> 1;
end;
$$;
comment on function docket.rollback_summary(integer) is
  'How many documents stand as the OCR configuration left them that a rollback withdrew. Raises ZD093.';
