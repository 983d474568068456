-- Custody is for those who see the document; analysts are told by docket_api what they need to know of it.
alter table docket.amendments enable row level security;

drop policy if exists amendments__of_visible_jobs on docket.amendments;
create policy amendments__of_visible_jobs on docket.amendments
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = amendments.job_id offset 0)
  );
comment on policy amendments__of_visible_jobs on docket.amendments is 'Staff see the amendments of the jobs that they see.';
