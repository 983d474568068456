-- The holds that are open on a document by its log, before an event of it. The log is asked and not the table of holds, which is
-- only written beside it.
-- Called by: the guard of the events, disposed_documents.
create or replace function docket.open_holds(p_job_id uuid, p_seq integer)
returns table (legal_hold_id text, placed_by text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select p.detail::json ->> 'hold', p.actor
  from docket_audit.events p
  where p.job_id = p_job_id and p.seq < p_seq and p.event = 'hold_placed'
    and not exists (
      select
      from docket_audit.events l
      where l.job_id = p_job_id and l.seq < p_seq and l.event = 'hold_lifted'
        and l.detail::json ->> 'hold' = p.detail::json ->> 'hold'
    )
$$;
comment on function docket.open_holds(uuid, integer) is 'Holds that are open on a document by its log, before an event of it.';
