-- What signatures were found to be is for those who see the document: those inside the scan for all of them, those of an envelope
-- for whoever sees the source that delivered it.
alter table docket.signatures enable row level security;

drop policy if exists signatures__of_visible_documents on docket.signatures;
create policy signatures__of_visible_documents on docket.signatures
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or (place = 'embedded' or source_id = any (array(select docket.visible_sources())))
      and exists (select from docket.document_sources d where d.job_id = signatures.job_id offset 0)
  );
comment on policy signatures__of_visible_documents on docket.signatures is
  'People see the signatures inside the documents that they see, and those of envelopes that sources delivered which they see.';
