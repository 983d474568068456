-- Attempts are the business of staff.
alter table docket.attempts enable row level security;

drop policy if exists attempts__of_visible_jobs on docket.attempts;
create policy attempts__of_visible_jobs on docket.attempts
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = attempts.job_id offset 0)
  );
comment on policy attempts__of_visible_jobs on docket.attempts is 'Staff see the attempts of the jobs that they see.';
