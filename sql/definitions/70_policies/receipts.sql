-- What a sender was told is for those who see the source.
alter table docket.receipts enable row level security;

drop policy if exists receipts__of_visible_sources on docket.receipts;
create policy receipts__of_visible_sources on docket.receipts
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using ((select docket.sees_all_sources()) or source_id = any (array(select docket.visible_sources())));
comment on policy receipts__of_visible_sources on docket.receipts is
  'People see the receipts of the sources that are visible to them.';
