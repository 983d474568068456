-- Makes the jobs of deliveries whose hash has none yet; leaves the others for admission to notice.
-- Called by: the accepting trigger of docket.deliveries and admission. Not granted to anyone.
-- Effects: jobs and their first event; arrivals. A job that another open transaction is making is not waited for:
-- after 20 ms a few deliveries are tried one by one, and what is left becomes arrivals, to which admission comes back.
create or replace function docket.accept_deliveries(p_deliveries bigint[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '20ms'
set enable_nestloop = off -- the parts of the statement below are joined by hash, however few rows the planner expects
as $$
declare
  v_made bigint[] := '{}';
  v_left bigint[];
  v_delivery bigint;
begin
  -- record: each delivery is looked up by its key, whatever the planner knows of the tables
  begin
    with firsts as (
      select distinct on (d.job_id) d.*, clock_timestamp() as now
      from unnest(p_deliveries) as n (delivery_id)
      cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
      order by d.job_id, d.delivery_id
    ),
    entries as materialized (
      select f.*, detail.detail,
        docket_audit.event_hash(
          f.job_id, 1, 'none', 'accepted', 'accepted', f.now, f.submitted_by::text, 'First delivery of these bytes.', null, null,
          detail.detail, null
        ) as hash
      from firsts f
      cross join lateral (
        select format(
          '{"delivery": %s, "source": "%s", "sha256": "%s"}', f.delivery_id, f.source_id, encode(f.sha256, 'hex')
        ) as detail
      ) as detail
    ),
    made as (
      insert into docket.jobs
        (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at, lane)
      select job_id, sha256, delivery_id, source_id, document_kind, 'accepted', 1, hash, now, now,
        docket.lane_of(source_id, document_kind)
      from entries
      order by job_id
      on conflict (job_id) do nothing
      returning delivery_id
    ),
    recorded as (
      insert into docket_audit.events
        (job_id, seq, from_state, event, to_state, at, actor, reason, detail, hash)
      select e.job_id, 1, 'none', 'accepted', 'accepted', e.now, e.submitted_by, 'First delivery of these bytes.', e.detail, e.hash
      from entries e
      join made using (delivery_id)
    )
    select coalesce(array_agg(m.delivery_id), '{}') into v_made from made m;
  exception
    when lock_not_available then
      v_made := '{}';
  end;
  if v_made = '{}' and cardinality(p_deliveries) between 2 and 50 then
    foreach v_delivery in array p_deliveries loop
      perform docket.accept_deliveries(array[v_delivery]);
    end loop;
    return;
  end if;

  if cardinality(v_made) = cardinality(p_deliveries) then
    return;
  end if;
  v_left := array(select unnest(p_deliveries) except select unnest(v_made));

  -- check
  if exists (
    select
    from unnest(v_left) as n (delivery_id)
    cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
    cross join lateral (select * from docket.jobs j where j.job_id = d.job_id limit 1) as j
    where j.sha256 <> d.sha256
  ) then
    raise exception 'sha256: another hash already has the job id of a delivered one'
      using errcode = 'ZD016', hint = 'Report it: the hashes were made to collide.';
  end if;

  -- enqueue
  insert into docket.arrivals (delivery_id, job_id)
  select d.delivery_id, d.job_id
  from unnest(v_left) as n (delivery_id)
  cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
  on conflict (delivery_id) do nothing;
end;
$$;
comment on function docket.accept_deliveries(bigint[]) is
  'Makes the jobs of new hashes among the deliveries; the rest become arrivals. Raises ZD016.';
