-- The evidence of a document is for those who see the document; columns that are the sender's alone are not granted.
alter table docket.evidence enable row level security;

drop policy if exists evidence__of_visible_documents on docket.evidence;
create policy evidence__of_visible_documents on docket.evidence
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = evidence.job_id offset 0)
  );
comment on policy evidence__of_visible_documents on docket.evidence is
  'People see the evidence of the documents that they see.';
