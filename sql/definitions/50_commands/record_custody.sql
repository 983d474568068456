-- Records one event of custody for each document, in the name of whoever acts.
-- Called by: the commands of custody, with the jobs locked. Not granted to anyone.
-- Errors: those of record_events and of the guard of the events.
create or replace function docket.record_custody(
  p_jobs uuid[],
  p_event text,
  p_reason text,
  p_details text[]
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_jobs <> '{}' then
    perform docket.record_events(
      p_jobs,
      array_fill(p_event, array[cardinality(p_jobs)]),
      docket.actor(),
      array_fill(p_reason, array[cardinality(p_jobs)]),
      null,
      null,
      p_details
    );
  end if;
end;
$$;
comment on function docket.record_custody(uuid[], text, text, text[]) is
  'Records one event of custody for each document, in the name of whoever acts.';
