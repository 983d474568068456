-- Refuses a word that ages are not grouped by.
-- Called by: queue_health and age_percentiles. Not granted to anyone. Errors: ZD073.
create or replace function docket.require_grouping(
  p_by text,
  p_known text[]
)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_by = any (p_known) is not true then
    raise exception 'by: ages are not told by "%"', left(coalesce(p_by, 'null'), 200)
      using errcode = 'ZD073', hint = 'Ask for one of: ' || array_to_string(p_known, ', ') || '.';
  end if;
end;
$$;
comment on function docket.require_grouping(text, text[]) is 'Refuses a word that ages are not grouped by. Raises ZD073.';
