-- How many documents of a source (null: of all) wait for admission that were accepted after a time; counted as far as is asked.
-- Called by: count_waiting, refuse_excess, admission_state. Not granted to anyone.
create or replace function docket.waiting_since(
  p_source_id text,
  p_since timestamptz,
  p_most integer
)
returns integer
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select count(*)
    from (
      select
      from docket.sources s
      cross join (select nullif(n.lane, 'standard') as lane from docket.lanes n) as l
      cross join lateral (
        select from docket.waiting_jobs(s.source_id, l.lane, '{}', p_since, p_most)
      ) as w
      where s.source_id = p_source_id or p_source_id is null
      limit p_most
    ) as counted
  );
end;
$$;
comment on function docket.waiting_since(text, timestamptz, integer) is
  'How many documents of a source, or of all, wait for admission that were accepted after a time.';
