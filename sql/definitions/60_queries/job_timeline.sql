-- What happened to each job, in order, as a person reads it.
create or replace view docket.job_timeline
as
select
  e.job_id,
  e.seq,
  e.at,
  e.event,
  e.from_state,
  e.to_state,
  e.actor,
  e.reason,
  e.code,
  e.attempt,
  e.detail::json as detail,
  encode(e.hash, 'hex') as hash
from docket_audit.events e;
comment on view docket.job_timeline is 'Events of jobs, with hashes as hex. Order by job_id, seq.';
