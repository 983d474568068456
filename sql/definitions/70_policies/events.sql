-- Analysts see what happened to a document, but not who else delivered it or asked to see more. An event that is not named here
-- is not theirs. Staff see every event of the jobs that they see.
alter table docket_audit.events enable row level security;

drop policy if exists events__of_visible_documents on docket_audit.events;
create policy events__of_visible_documents on docket_audit.events
  for select to docket_analyst
  using (
    event in (
      'accepted', 'admitted', 'verified', 'started', 'extracted', 'published', 'superseded', 'quarantined', 'released', 'redriven',
      'result_duplicate', 'hash_retry', 'ocr_retry', 'publish_retry', 'hash_lost', 'ocr_lost', 'publish_lost'
    )
    and exists (select from docket.document_sources d where d.job_id = events.job_id offset 0)
  );
comment on policy events__of_visible_documents on docket_audit.events is
  'Analysts see the course of the documents that they see; nothing about other deliveries.';

drop policy if exists events__of_visible_jobs on docket_audit.events;
create policy events__of_visible_jobs on docket_audit.events
  for select to docket_operator, docket_evidence_owner, docket_auditor
  using (
    (select docket.sees_all_sources())
    or exists (select from docket.jobs j where j.job_id = events.job_id offset 0)
  );
comment on policy events__of_visible_jobs on docket_audit.events is 'Staff see every event of the jobs that they see.';
