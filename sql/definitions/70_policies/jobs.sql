-- Analysts see jobs of documents that they see. Staff also see those of their sources that never became a document.
alter table docket.jobs enable row level security;

drop policy if exists jobs__of_visible_documents on docket.jobs;
create policy jobs__of_visible_documents on docket.jobs
  for select to docket_analyst
  using (exists (select from docket.document_sources d where d.job_id = jobs.job_id offset 0));
comment on policy jobs__of_visible_documents on docket.jobs is 'Analysts see the jobs of the documents that they see.';

drop policy if exists jobs__of_visible_sources on docket.jobs;
create policy jobs__of_visible_sources on docket.jobs
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = jobs.job_id offset 0)
    or source_id = any (array(select docket.visible_sources())) and not docket.is_verified(job_id)
  );
comment on policy jobs__of_visible_sources on docket.jobs is
  'Staff see the jobs of the documents that they see, and of scans of their sources that were never verified.';
