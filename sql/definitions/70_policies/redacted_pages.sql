-- What analysts see of a page. That it is published, and redacted by the active rules, is said here and not only in the view:
-- a policy comes before every condition of a query, a view does not.
alter table docket.redacted_pages enable row level security;

drop policy if exists redacted_pages__by_the_active_rules on docket.redacted_pages;
create policy redacted_pages__by_the_active_rules on docket.redacted_pages
  for select to docket_analyst
  using (
    rule_set_id = (select docket.active_rule_set())
    and exists (
      select
      from docket.jobs j
      join docket.redactions r
        on r.job_id = j.job_id and r.attempt = j.result_attempt and r.rule_set_id = redacted_pages.rule_set_id
      where j.job_id = redacted_pages.job_id and j.result_attempt = redacted_pages.attempt and j.state = 'published'
      offset 0
    )
  );
comment on policy redacted_pages__by_the_active_rules on docket.redacted_pages is
  'Analysts see pages of published documents that they see, once the active rules have redacted all of them.';

drop policy if exists redacted_pages__of_visible_documents on docket.redacted_pages;
create policy redacted_pages__of_visible_documents on docket.redacted_pages
  for select to docket_evidence_owner, docket_auditor
  using (
    -- rules that were only staged may mask nothing, and unredacted text is read by docket.read_text alone
    rule_set_id = any (array(select a.rule_set_id from docket.rule_set_activations a))
    and (
      (select docket.sees_all_sources())
      or exists (select from docket.document_sources d where d.job_id = redacted_pages.job_id offset 0)
    )
  );
comment on policy redacted_pages__of_visible_documents on docket.redacted_pages is
  'Evidence owners and auditors see what rules that are or were active made of the documents that they see.';
