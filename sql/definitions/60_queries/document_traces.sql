-- What a trace tells of documents: the last hundred events of each, with their times in seconds since 1970, and nothing of what they say
-- in detail, who acted, or where the scan lies.
-- Called by: the worker, of documents that came to rest in it, where traces are wanted.
create or replace function docket.document_traces(p_jobs uuid[])
returns table (
  job_id uuid,
  lane text,
  document_kind text,
  state text,
  code text,
  events json
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select j.job_id, j.lane, j.document_kind, j.state, case when j.state = 'quarantined' then j.last_code end,
    (
      select json_agg(
        json_build_object(
          'event', e.event, 'at', extract(epoch from e.at), 'code', e.code, 'attempt', e.attempt
        ) order by e.seq
      )
      from docket_audit.events e
      where e.job_id = j.job_id and e.seq > j.seq - 100
    )
  from unnest(p_jobs) as n (job_id)
  cross join lateral (select * from docket.jobs j where j.job_id = n.job_id limit 1) as j
$$;
comment on function docket.document_traces(uuid[]) is 'What a trace tells of documents: their events and times, and nothing else of them.';
