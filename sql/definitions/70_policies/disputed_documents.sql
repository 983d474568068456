-- That a document is disputed is told with the document; which replay says so is for staff who see it.
alter table docket.disputed_documents enable row level security;

drop policy if exists disputed_documents__of_visible_jobs on docket.disputed_documents;
create policy disputed_documents__of_visible_jobs on docket.disputed_documents
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = disputed_documents.job_id offset 0)
  );
comment on policy disputed_documents__of_visible_jobs on docket.disputed_documents is
  'Staff see the disputes of the jobs that they see.';
