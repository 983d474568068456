-- Custody is for those who see the document; analysts are told by docket_api what they need to know of it.
alter table docket.disposals enable row level security;

drop policy if exists disposals__of_visible_jobs on docket.disposals;
create policy disposals__of_visible_jobs on docket.disposals
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = disposals.job_id offset 0)
  );
comment on policy disposals__of_visible_jobs on docket.disposals is 'Staff see the requests for disposal of the jobs that they see.';
