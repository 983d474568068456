-- The newest checkpoint, and the first of some documents with an event that it does not cover yet; null where it covers them all.
-- No row while there is no checkpoint.
-- Called by: evidence owners and auditors, before bundle_of. Errors: ZD020.
create or replace function docket.covering_checkpoint(p_jobs uuid[])
returns table (note text, size bigint, uncovered_job uuid)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform docket.require_seen(p_jobs);
  return query
  select c.note, c.size, (
    select j.job_id
    from docket.jobs j
    where j.job_id = any (p_jobs) and (docket.leaf_index(j.job_id, j.seq) < c.size) is not true
    order by array_position(p_jobs, j.job_id)
    limit 1
  )
  from docket_audit.checkpoints c
  order by c.epoch desc, c.size desc
  limit 1;
end;
$$;
comment on function docket.covering_checkpoint(uuid[]) is
  'Newest checkpoint, and the first of these documents that it does not cover whole. Raises ZD020.';
