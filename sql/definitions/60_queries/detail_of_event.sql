-- What was recorded of something that happened.
-- Called by: docket_api.events, whose other columns analysts may read. Only granted to whom the column is.
create or replace function docket.detail_of_event(p_job_id uuid, p_seq integer)
returns json
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select e.detail::json from docket_audit.events e where e.job_id = p_job_id and e.seq = p_seq
$$;
comment on function docket.detail_of_event(uuid, integer) is 'Detail of an event, for evidence owners and auditors.';
