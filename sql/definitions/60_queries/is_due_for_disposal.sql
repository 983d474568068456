-- Whether the disposal of a document is to be asked for because its retention is over: it is on no hold, and nobody asked since.
-- Called by: end_retentions. Not granted to anyone.
create or replace function docket.is_due_for_disposal(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select u.retain_until <= clock_timestamp()
    and not docket.is_held(p_job_id)
    and not exists (
      select
      from docket.disposals d
      where d.job_id = p_job_id and d.outlived_at is null
        and (d.decision is distinct from 'withdrawn' or d.requested_at >= u.retain_until)
    )
  from (select docket.retain_until(p_job_id) as retain_until) as u
$$;
comment on function docket.is_due_for_disposal(uuid) is
  'Whether the disposal of a document is to be asked for because its retention is over.';
