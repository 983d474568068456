-- Which results are redacted is for those who see the document.
alter table docket.redactions enable row level security;

drop policy if exists redactions__of_visible_documents on docket.redactions;
create policy redactions__of_visible_documents on docket.redactions
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = redactions.job_id offset 0)
  );
comment on policy redactions__of_visible_documents on docket.redactions is
  'People see how far the documents that they see are redacted.';
