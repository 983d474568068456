-- What is down on a host.
-- Called by: the worker, to warn of it.
create or replace function docket.open_outages(p_host text)
returns table (dependency text, meaning text, began_at timestamptz, seconds double precision, code text, message text, probes integer)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select b.dependency, d.meaning, b.first_failure_at, extract(epoch from clock_timestamp() - b.first_failure_at)::double precision,
    b.last_code, b.last_message, b.probes
  from docket.breakers b
  join docket.dependencies d on d.dependency = b.dependency
  where b.host = p_host and b.state <> 'closed'
  order by b.dependency;
$$;
comment on function docket.open_outages(text) is 'What is down on a host, since when and why.';
