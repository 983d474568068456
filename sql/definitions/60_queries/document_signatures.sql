-- What the signatures of documents were found to be when they were checked last: of each delivery and place the newest check.
-- Called by: what speaks of signatures, with the rights of its owner; people, each row by the policy of docket.signatures.
create or replace view docket.document_signatures
with (security_invoker)
as
select
  s.job_id,
  s.seq,
  s.delivery_id,
  s.place,
  s.signature_no,
  s.source_id,
  s.format,
  s.purpose,
  s.status,
  t.rank,
  t.is_valid,
  (t.is_valid and s.purpose = 'signature' and s.coverage = 'whole_document') is true as is_signing,
  s.is_intact,
  s.digest_matches,
  s.coverage,
  s.later_changes,
  s.signer,
  s.signer_sha256,
  s.trust_anchor_id,
  docket.anchor_label(s.trust_anchor_id) as anchor,
  s.algorithm,
  s.signed_at,
  s.signed_at_by,
  s.judged_at,
  s.checked_at,
  s.findings,
  s.report
from docket.signatures s
join docket.signature_statuses t on t.status = s.status
where s.seq = (
  select max(o.seq)
  from docket.signatures o
  where o.job_id = s.job_id and o.delivery_id = s.delivery_id and o.place = s.place
);
comment on view docket.document_signatures is 'What each signature of a document was found to be when it was checked last.';
comment on column docket.document_signatures.is_signing is
  'Whether it proves that the signer signed this whole document; nothing else may be called signed.';
comment on column docket.document_signatures.anchor is 'Label of the anchor it was judged against; null where none fits.';
