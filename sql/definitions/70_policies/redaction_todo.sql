-- What is still to be redacted is for those who see the document.
alter table docket.redaction_todo enable row level security;

drop policy if exists redaction_todo__of_visible_documents on docket.redaction_todo;
create policy redaction_todo__of_visible_documents on docket.redaction_todo
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = redaction_todo.job_id offset 0)
  );
comment on policy redaction_todo__of_visible_documents on docket.redaction_todo is
  'People see which of the documents that they see are still to be redacted.';
