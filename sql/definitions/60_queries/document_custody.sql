-- One row a document, for evidence owners and auditors: how long it is kept, what holds it, and whether its disposal is asked for
-- or done. Read with the rights of the reader.
create or replace view docket.document_custody
with (security_invoker)
as
select
  j.job_id,
  docket.retain_until(j.job_id) as retain_until,
  docket.is_held(j.job_id) as is_held,
  array(select h.matter from docket.legal_holds h where h.job_id = j.job_id and h.lifted_at is null order by h.matter) as matters,
  case d.decision when 'approved' then 'disposed' else d.state end as disposal,
  d.requested_by,
  d.requested_at,
  d.reason as disposal_reason,
  d.decided_at as disposed_at,
  d.decided_by,
  (
    select a.document_kind
    from docket.amendments a
    where a.job_id = j.job_id and a.document_kind is not null
    order by a.seq desc
    limit 1
  ) as amended_kind,
  (
    select nullif(a.note, '')
    from docket.amendments a
    where a.job_id = j.job_id and a.note is not null
    order by a.seq desc
    limit 1
  ) as note
from docket.jobs j
left join lateral (
  select d.*, 'requested' as state
  from docket.disposals d
  where d.job_id = j.job_id and d.decision is distinct from 'withdrawn' and d.outlived_at is null
  order by d.disposal_id desc
  limit 1
) as d on true;
comment on view docket.document_custody is 'One row a document: retention, holds, disposal, and what was amended.';
comment on column docket.document_custody.job_id is 'The document.';
comment on column docket.document_custody.retain_until is 'Until when it is kept at least; null where it was never verified.';
comment on column docket.document_custody.is_held is 'Whether a legal hold is open on it.';
comment on column docket.document_custody.matters is 'Matters of the open holds.';
comment on column docket.document_custody.disposal is 'requested, disposed, or null where neither is the case.';
comment on column docket.document_custody.requested_by is 'Who asked for the disposal; the worker, where its retention ended.';
comment on column docket.document_custody.requested_at is 'When it was asked for.';
comment on column docket.document_custody.disposal_reason is 'Why it was asked for.';
comment on column docket.document_custody.disposed_at is 'When it was disposed of.';
comment on column docket.document_custody.decided_by is 'Who approved.';
comment on column docket.document_custody.amended_kind is 'Kind that an evidence owner takes it for; null where nobody amended it.';
comment on column docket.document_custody.note is 'Newest note of an evidence owner; null where there is none, and after a disposal.';
