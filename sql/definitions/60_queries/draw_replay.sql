-- Which published documents a seed draws, of all or of some sources, as they stood at a time; each with the number of those that
-- were drawn from. Strata are source by age; within each the order is that of SHA-256 over the seed and the id. Every stratum gives
-- one, the largest first, then all of them in proportion to their size (by the divisors of Sainte-Laguë).
-- Called by: begin_replay. Granted to auditors, who can so draw again what was drawn.
create or replace function docket.draw_replay(
  p_seed text,
  p_count integer,
  p_share double precision,
  p_sources text[],
  p_at timestamptz
)
returns table (job_id uuid, population bigint)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with documents as materialized (
    select j.job_id, coalesce(e.source_id, j.source_id) as source_id,
      width_bucket(
        extract(epoch from p_at - j.accepted_at)::double precision,
        -- a day, a week, a month, a quarter, a year
        array[86400, 604800, 2592000, 7862400, 31536000]::double precision[]
      ) as age,
      sha256(convert_to(p_seed, 'UTF8') || uuid_send(j.job_id)) as place
    from docket.jobs j
    -- what has lost its evidence must not escape by that
    left join docket.evidence e on e.job_id = j.job_id
    where j.state = 'published' and j.state_at <= p_at
      and (p_sources is null or coalesce(e.source_id, j.source_id) = any (p_sources))
      and not exists (
        select from docket.disposals d where d.job_id = j.job_id and d.decision = 'approved' and d.decided_at <= p_at
      )
  ),
  ranked as (
    select d.job_id, d.place,
      row_number() over (partition by d.source_id, d.age order by d.place) as turn,
      count(*) over (partition by d.source_id, d.age) as members
    from documents d
  )
  select r.job_id, (select count(*) from documents)
  from ranked r
  order by r.turn > 1, (r.turn - 0.5) / r.members, r.place
  limit coalesce(p_count, (select ceil(p_share::numeric * count(*)) from documents))
$$;
comment on function docket.draw_replay(text, integer, double precision, text[], timestamptz) is
  'Which published documents a seed draws, of which sources, as they stood at a time; and from how many.';
