-- Documents that stand as an OCR configuration left them: published with its text, or quarantined by what it read. Of those read by the
-- first configuration there is no index.
-- Called by: operators, evidence owners and auditors; docket rollback show.
create or replace view docket.ocr_version_documents
as
select a.ocr_version, j.job_id, j.document_kind, j.state, j.state_at, case when j.state = 'quarantined' then j.last_code end as code
from docket.attempts a
join docket.jobs j on j.job_id = a.job_id
where a.task = 'ocr' and a.ended_at is not null
  and (
    j.state in ('published', 'validated') and a.attempt = j.result_attempt
    or j.state = 'quarantined' and a.attempt = j.attempt
  );
comment on view docket.ocr_version_documents is 'Documents that stand as an OCR configuration left them.';
comment on column docket.ocr_version_documents.ocr_version is 'The OCR configuration.';
comment on column docket.ocr_version_documents.job_id is 'The document.';
comment on column docket.ocr_version_documents.document_kind is 'Its kind.';
comment on column docket.ocr_version_documents.state is 'published, validated or quarantined.';
comment on column docket.ocr_version_documents.state_at is 'Since when.';
comment on column docket.ocr_version_documents.code is 'Why it is quarantined.';
