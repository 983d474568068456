-- Whether a failure counts as no try: what the attempt needed was down on its host while it ran.
-- Called by: settle_failures. Not granted to anyone.
create or replace function docket.is_excused(
  p_dependency text,
  p_lease_id uuid,
  p_started_at timestamptz,
  p_ended_at timestamptz
)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select p_dependency is not null and exists (
    select
    from docket.leases l
    join docket.outages o on o.host = l.host
    where l.lease_id = p_lease_id and o.dependency = p_dependency
      and o.began_at <= p_ended_at and coalesce(o.ended_at, 'infinity') >= p_started_at
  );
$$;
comment on function docket.is_excused(text, uuid, timestamptz, timestamptz) is
  'Whether a failure counts as no try, because it fell into an outage.';
