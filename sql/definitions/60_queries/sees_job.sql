-- Whether who acts may see a job: the document, through any source that is visible; a scan that was never verified, through the
-- source that made it. The same as the policies of docket.jobs, for functions that run with the rights of their owner.
-- Called by: what reads for people; docket_api.alerts.
create or replace function docket.sees_job(p_job_id uuid)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select
    from docket.jobs j
    where j.job_id = p_job_id
      and (
        docket.sees_all_sources()
        or exists (
          select from docket.document_sources d
          where d.job_id = j.job_id and d.source_id = any (array(select docket.visible_sources()))
        )
        or j.source_id = any (array(select docket.visible_sources()))
          and not exists (select from docket.document_sources d where d.job_id = j.job_id)
      )
  )
$$;
comment on function docket.sees_job(uuid) is 'Whether who acts may see a job.';
