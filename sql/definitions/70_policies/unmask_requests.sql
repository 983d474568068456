-- Who asked for more is between them and those who answer.
alter table docket.unmask_requests enable row level security;

drop policy if exists unmask_requests__own on docket.unmask_requests;
create policy unmask_requests__own on docket.unmask_requests
  for select to docket_analyst
  using (
    requested_by = (select docket.actor())
    and exists (select from docket.document_sources d where d.job_id = unmask_requests.job_id offset 0)
  );
comment on policy unmask_requests__own on docket.unmask_requests is 'Analysts see what they asked for themselves.';

drop policy if exists unmask_requests__of_visible_documents on docket.unmask_requests;
create policy unmask_requests__of_visible_documents on docket.unmask_requests
  for select to docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.document_sources d where d.job_id = unmask_requests.job_id offset 0)
  );
comment on policy unmask_requests__of_visible_documents on docket.unmask_requests is
  'Evidence owners and auditors see what was asked about the documents that they see.';
