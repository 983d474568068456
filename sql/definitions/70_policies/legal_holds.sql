-- Custody is for those who see the document; analysts are told by docket_api what they need to know of it.
alter table docket.legal_holds enable row level security;

drop policy if exists legal_holds__of_visible_jobs on docket.legal_holds;
create policy legal_holds__of_visible_jobs on docket.legal_holds
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = legal_holds.job_id offset 0)
  );
comment on policy legal_holds__of_visible_jobs on docket.legal_holds is 'Staff see the holds of the jobs that they see.';
