-- Results are for those who see the document; their hashes are not granted, except to auditors.
alter table docket.results enable row level security;

drop policy if exists results__of_visible_documents on docket.results;
create policy results__of_visible_documents on docket.results
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = results.job_id offset 0)
  );
comment on policy results__of_visible_documents on docket.results is
  'People see the results of the documents that they see.';
