-- Hash of an event. From that of some events, statements of the sender could be guessed.
-- Called by: docket_api.events, whose other columns analysts may read. Only granted to whom the column is.
create or replace function docket.hash_of_event(p_job_id uuid, p_seq integer)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select encode(e.hash, 'hex') from docket_audit.events e where e.job_id = p_job_id and e.seq = p_seq
$$;
comment on function docket.hash_of_event(uuid, integer) is 'Hash of an event in hex, for auditors.';
