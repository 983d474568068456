-- One row a document, for people who operate Docket. Not granted to analysts: it has the senders' statements of all sources.
create or replace view docket.document_overview
as
select
  j.job_id,
  encode(j.sha256, 'hex') as sha256,
  coalesce(e.source_id, j.source_id) as source_id,
  j.document_kind,
  j.state,
  j.state_at,
  j.accepted_at,
  j.next_task,
  j.due_at,
  j.first_code,
  j.last_code,
  e.size_bytes,
  e.media_type,
  e.locator,
  e.captured_at,
  e.verified_at,
  r.page_count,
  r.characters,
  round(r.confidence::numeric, 1)::double precision as confidence,
  encode(j.result_sha256, 'hex') as result_sha256,
  encode(r.config_sha256, 'hex') as config_sha256,
  (
    select left(regexp_replace(btrim(p.text), '\s+', ' ', 'g'), 80)
    from docket.redactions x
    join docket.redacted_pages p on p.job_id = x.job_id and p.rule_set_id = x.rule_set_id and p.attempt = x.attempt
    where x.job_id = j.job_id and x.rule_set_id = docket.active_rule_set() and x.attempt = j.result_attempt
      and j.state = 'published'
    order by p.page_no
    limit 1
  ) as first_words,
  j.seq as event_count,
  (select count(*) from docket.deliveries d where d.job_id = j.job_id)::integer as delivery_count,
  docket.is_disputed(j.job_id) as is_disputed
from docket.jobs j
left join docket.evidence e on e.job_id = j.job_id
left join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256;
comment on view docket.document_overview is 'One row a document: state, evidence and result in short; the first words as the active rules leave them.';
