-- Whether a document was disposed of by its log, before an event of it, or by now: its newest event of the two is "disposed", and
-- not the "redelivered" that brings back a scan whose bytes nobody had seen. The log is asked and not the table of disposals, which
-- is only written beside it.
-- Called by: guards, verify_results, disposed_documents.
create or replace function docket.is_disposed_by_log(p_job_id uuid, p_seq integer default null)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select p.event = 'disposed'
      from docket_audit.events p
      where p.job_id = p_job_id and (p_seq is null or p.seq < p_seq) and p.event in ('disposed', 'redelivered')
      order by p.seq desc
      limit 1
    ),
    false
  )
$$;
comment on function docket.is_disposed_by_log(uuid, integer) is
  'Whether a document was disposed of by its log, before an event of it.';
