-- Hands out documents that are to be verified by replay, what has waited longest first, each for as long as the hash task may take,
-- or for half an hour where its text is to be recognised anew; a worker that dies leaves them to be handed out again after that.
-- Called by: every worker process, between the duties. Effects: replay_tasks.
-- `candidates` is the place that the evidence names; where Docket sealed the object, `sealed_sha256` is what it was then.
-- `code` is set where it is known without looking how it ends.
create or replace function docket.claim_replay_tasks(p_limit integer)
returns table (
  replay_id integer,
  job_id uuid,
  sha256 bytea,
  candidates json,
  sealed_sha256 bytea,
  sealed_size_bytes bigint,
  is_reread boolean,
  published_config_sha256 bytea,
  published_ocr_version integer,
  seconds double precision,
  code text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_deadline interval;
begin
  -- check
  if not exists (select from docket.replay_tasks k where k.due_at <= v_now) then
    return;
  end if;
  select t.deadline into v_deadline from docket.tasks t where t.task = 'hash';

  -- lock, record
  return query
  with due as materialized (
    select k.replay_id, k.job_id, r.is_reread, case when r.is_reread then interval '30 minutes' else v_deadline end as span
    from docket.replay_tasks k
    join docket.replay_runs r on r.replay_id = k.replay_id
    where k.due_at <= v_now
    order by k.due_at
    limit p_limit
    for update of k skip locked
  ),
  claimed as (
    update docket.replay_tasks k
    set due_at = v_now + d.span, tries = k.tries + 1
    from due d
    where k.replay_id = d.replay_id and k.job_id = d.job_id
    returning k.replay_id, k.job_id, k.tries, d.is_reread, d.span
  )
  select c.replay_id, c.job_id, j.sha256, json_build_array(place.candidate), o.sealed_sha256, o.sealed_size_bytes,
    c.is_reread, r.config_sha256,
    -- what was published before there were several was read by the first
    case when r.config_sha256 is not null then coalesce(a.ocr_version, 1) end, extract(epoch from c.span)::double precision,
    case
      -- no code is tried as often: nobody came back to say how it ended
      when c.tries > 20 then 'CRASH_LOOP'
      when docket.is_disposed(c.job_id) then 'DISPOSED'
      when place.candidate is null then 'OBJECT_NOT_FOUND'
    end
  from claimed c
  cross join lateral (select * from docket.jobs j where j.job_id = c.job_id limit 1) as j
  cross join lateral (select docket.candidate_locators(c.job_id, j.sha256) -> 0 as candidate) as place
  left join docket.results r on r.job_id = c.job_id and r.result_sha256 = j.result_sha256
  left join docket.attempts a on a.job_id = r.job_id and a.attempt = r.attempt
  left join docket.object_keys o
    on o.locator = place.candidate ->> 'locator' and place.candidate ->> 'encryption' = 'docket';
end;
$$;
comment on function docket.claim_replay_tasks(integer) is
  'Hands out documents that are to be verified by replay, with where their object lies.';
