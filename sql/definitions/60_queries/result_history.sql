-- Results that were published, or superseded what was: one row for each time a result became that of its document, from the events
-- alone. An older one stays what it was; it is only no longer the current one.
-- Called by: course_of_result, bundle_of, the CLI; auditors and evidence owners.
create or replace view docket.result_history
as
select
  e.job_id,
  e.seq,
  e.event,
  e.at as published_at,
  e.actor,
  e.reason,
  t.result_sha256,
  r.attempt,
  encode(r.config_sha256, 'hex') as config_sha256,
  -- of one that came back, by what it was read this time
  coalesce(t.ocr_version, a.ocr_version) as ocr_version,
  r.page_count,
  r.characters,
  round(r.confidence::numeric, 1)::double precision as confidence,
  t.supersedes,
  t.rereading_id,
  lead(e.at) over later as superseded_at,
  lead(e.seq) over later is null as is_current
from docket_audit.events e
cross join lateral (
  select e.detail::json ->> 'result_sha256' as result_sha256, e.detail::json ->> 'supersedes' as supersedes,
    (e.detail::json ->> 'rereading')::bigint as rereading_id, (e.detail::json ->> 'ocr_version')::integer as ocr_version
  offset 0
) as t
left join docket.results r on r.job_id = e.job_id and r.result_sha256 = decode(t.result_sha256, 'hex')
left join docket.attempts a on a.job_id = r.job_id and a.attempt = r.attempt
where e.event in ('published', 'superseded')
window later as (partition by e.job_id order by e.seq);
comment on view docket.result_history is
  'Results that were published, and those that superseded them: since when each is the current one, and until when it was. Order by job_id, seq.';
