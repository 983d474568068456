-- Nobody is told of sources that are not theirs.
alter table docket.sources enable row level security;

drop policy if exists sources__visible on docket.sources;
create policy sources__visible on docket.sources
  for select to docket_analyst, docket_operator, docket_evidence_owner, docket_auditor
  using ((select docket.sees_all_sources()) or source_id = any (array(select docket.visible_sources())));
comment on policy sources__visible on docket.sources is 'People see the sources that are visible to them.';
