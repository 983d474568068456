-- One row a replay: what was drawn, how it came out, and what that says of the documents that were drawn from, with a confidence of
-- 99 %. Where every document of them was checked, the share is known; of documents that were named it says nothing.
create or replace view docket.replay_summaries
as
select
  r.replay_id,
  r.seed,
  r.wanted_count,
  r.wanted_share,
  r.sources,
  r.is_reread,
  r.is_daily,
  r.is_named,
  r.reason,
  r.started_at,
  r.started_by,
  r.ended_at,
  r.population,
  r.sample,
  d.passed,
  d.failed,
  d.unchecked,
  r.sample - d.passed - d.failed - d.unchecked as waiting,
  d.reread,
  case
    when r.is_named or d.passed + d.failed = 0 then null
    when d.passed + d.failed = r.population then d.failed::double precision / r.population
    else docket.highest_bad_share(d.passed + d.failed, d.failed, 0.99)
  end as bad_share_at_most
from docket.replay_runs r
cross join lateral (
  select
    count(*) filter (where d.outcome = 'passed') as passed,
    count(*) filter (where d.outcome = 'failed') as failed,
    count(*) filter (where d.outcome = 'unchecked') as unchecked,
    count(*) filter (where 'reading' = any (d.checks)) as reread
  from docket.replayed_documents d
  where d.replay_id = r.replay_id
) as d;
comment on view docket.replay_summaries is 'One row a replay: what was drawn, how it came out, and what that says of the rest.';
comment on column docket.replay_summaries.waiting is 'Documents that were not dealt with yet.';
comment on column docket.replay_summaries.reread is 'Documents whose text was recognised anew and compared.';
comment on column docket.replay_summaries.bad_share_at_most is
  'With 99 % confidence no larger share of the documents that were drawn from is bad; null where nothing can be said.';
