-- Everything starts here: who may see a row of this table may see the document. Statements of other sources stay theirs.
-- The other policies look a document up here row by row. They say "offset 0", because the planner would otherwise read the whole
-- table into a hash for a list of twenty.
alter table docket.document_sources enable row level security;

drop policy if exists document_sources__of_visible_sources on docket.document_sources;
create policy document_sources__of_visible_sources on docket.document_sources
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using ((select docket.sees_all_sources()) or source_id = any (array(select docket.visible_sources())));
comment on policy document_sources__of_visible_sources on docket.document_sources is
  'People see what the sources that are visible to them have stated.';
