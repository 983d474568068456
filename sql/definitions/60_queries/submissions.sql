-- What senders see and insert into: their own deliveries, with the state of the document where it is theirs.
create or replace view docket.submissions
with (security_barrier)
as
select
  d.delivery_id,
  d.source_id,
  d.sha256,
  d.locator,
  d.version,
  d.size_bytes,
  d.media_type,
  d.captured_at,
  d.document_date,
  d.document_kind,
  d.signer,
  d.envelope,
  d.job_id,
  d.received_at,
  d.submitted_by,
  (
    select j.state
    from docket.jobs j
    where j.job_id = d.job_id
      and (
        exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id)
        or d.source_id = j.source_id and not exists (select from docket.evidence e where e.job_id = d.job_id)
      )
  ) as state,
  d.encryption,
  d.scan_number
from docket.deliveries d
where d.source_id in (select docket.visible_sources());
comment on view docket.submissions is
  'Deliveries of the sources of the login. Insert here to deliver; RETURNING job_id always answers.';
comment on column docket.submissions.state is
  'State of the document, where this source sees it (before it is verified: made its job); else null.';
