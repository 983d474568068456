-- Has published documents verified by replay: so many, or such a share, of all or of some sources, drawn by a seed, which is made
-- up where none is stated. Whoever is to believe the draw states a seed that nobody could choose, such as the root of a checkpoint.
-- Called by: operators, auditors. Effects: replay_runs, replay_tasks.
-- Errors: ZD021 · ZD023 no such source · ZD056 neither a count from 1 nor a share above 0 and at most 1.
create or replace function docket.start_replay(
  p_count integer,
  p_share double precision,
  p_seed text,
  p_sources text[],
  p_is_reread boolean,
  p_reason text
)
returns table (replay_id integer, population bigint, sample integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  if (p_count is null) = (p_share is null) or p_count < 1 or not (p_share > 0 and p_share <= 1)
    or length(p_seed) > 1000 or p_sources = '{}' then
    raise exception 'a replay asks for a count from 1, or for a share above 0 and at most 1; not for count % and share %',
      coalesce(p_count::text, 'null'), coalesce(p_share::text, 'null')
      using errcode = 'ZD056', hint = 'State one of them; of sources at least one, or none for all.';
  end if;
  perform docket.require_source(n.source_id) from unnest(p_sources) as n (source_id);
  perform docket.require_reason(p_reason, 'a replay');

  -- record, enqueue
  return query
  select * from docket.begin_replay(null, p_count, p_share, p_seed, p_sources, coalesce(p_is_reread, false), false, p_reason);
end;
$$;
comment on function docket.start_replay(integer, double precision, text, text[], boolean, text) is
  'Has published documents verified by replay, drawn by a seed. Raises ZD021, ZD023, ZD056.';
