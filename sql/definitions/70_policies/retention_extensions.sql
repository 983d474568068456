-- Custody is for those who see the document; analysts are told by docket_api what they need to know of it.
alter table docket.retention_extensions enable row level security;

drop policy if exists retention_extensions__of_visible_jobs on docket.retention_extensions;
create policy retention_extensions__of_visible_jobs on docket.retention_extensions
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = retention_extensions.job_id offset 0)
  );
comment on policy retention_extensions__of_visible_jobs on docket.retention_extensions is 'Staff see the extended retentions of the jobs that they see.';
