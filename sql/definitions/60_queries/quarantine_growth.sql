-- How many documents were quarantined within a window that ends now, by code and source, most first; whether or not they were released
-- since. Windows up to two hours are made of whole minutes, longer ones of whole hours. The code is that of the event: what came too
-- often is told as RETRY_EXHAUSTED.
-- Called by: operators, auditors, evidence owners, workers, the gateway. Effects: none. Errors: ZD074 the window.
create or replace function docket.quarantine_growth(p_window interval default '1 day')
returns table (code text, source_id text, documents bigint)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_since timestamptz;
begin
  p_window := coalesce(p_window, interval '1 day');
  v_since := docket.window_start(p_window);
  return query
  select c.code, c.source_id, sum(c.documents)::bigint
  from (
    select m.code, m.source_id, m.documents
    from docket.quarantine_minutes m
    where p_window <= interval '2 hours' and m.at >= v_since
    union all
    select h.code, h.source_id, h.documents
    from docket.quarantine_hours h
    where p_window > interval '2 hours' and h.at >= v_since
  ) as c
  group by c.code, c.source_id
  order by sum(c.documents) desc, c.code, c.source_id;
end;
$$;
comment on function docket.quarantine_growth(interval) is
  'How many documents were quarantined within a window, by code and source. Raises ZD074.';
