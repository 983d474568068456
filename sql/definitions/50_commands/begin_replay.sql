-- Records a replay and its tasks: of documents that were named, or of those that its seed draws. Without a seed one is made up.
-- The tasks of the daily one are spread over twenty hours.
-- Called by: start_replay, replay_documents, start_daily_replay. Not granted to anyone. Effects: replay_runs, replay_tasks.
create or replace function docket.begin_replay(
  p_named uuid[],
  p_count integer,
  p_share double precision,
  p_seed text,
  p_sources text[],
  p_is_reread boolean,
  p_is_daily boolean,
  p_reason text
)
returns table (replay_id integer, population bigint, sample integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := clock_timestamp();
  v_seed constant text := coalesce(p_seed, gen_random_uuid()::text);
  v_jobs uuid[] := p_named;
  v_population bigint := cardinality(p_named);
  v_replay_id integer;
begin
  -- check
  if p_named is null then
    select array_agg(d.job_id order by d.place), coalesce(max(d.population), 0)
    into v_jobs, v_population
    from docket.draw_replay(v_seed, p_count, p_share, p_sources, v_now)
      with ordinality as d (job_id, population, place);
  end if;

  -- record
  insert into docket.replay_runs as r
    (seed, wanted_count, wanted_share, sources, is_reread, is_daily, is_named, population, sample, reason, started_at, started_by,
     ended_at)
  values (
    v_seed, coalesce(p_count, cardinality(p_named)), p_share, p_sources, p_is_reread, p_is_daily, p_named is not null,
    v_population, coalesce(cardinality(v_jobs), 0), p_reason, v_now, docket.actor(), case when v_population = 0 then v_now end
  )
  returning r.replay_id into v_replay_id;

  -- enqueue
  insert into docket.replay_tasks (replay_id, job_id, due_at)
  select v_replay_id, n.job_id,
    v_now + case when p_is_daily then interval '20 hours' * ((n.place - 1)::double precision / cardinality(v_jobs)) else '0' end
  from unnest(v_jobs) with ordinality as n (job_id, place);

  return query select v_replay_id, v_population, coalesce(cardinality(v_jobs), 0);
end;
$$;
comment on function docket.begin_replay(uuid[], integer, double precision, text, text[], boolean, boolean, text) is
  'Records a replay and its tasks: of documents that were named, or of those that its seed draws.';
