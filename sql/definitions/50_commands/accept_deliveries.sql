-- Makes the jobs of deliveries whose hash has none yet; leaves the others for admission to notice.
-- Called by: the accepting trigger of docket.deliveries and admission. Not granted to anyone.
-- Effects: jobs and their first event; arrivals. A job that another open transaction is making is not waited for:
-- after 20 ms all deliveries of the call become arrivals, and admission comes back to them.
create or replace function docket.accept_deliveries(p_deliveries bigint[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '20ms'
as $$
declare
  v_made bigint[] := '{}';
begin
  -- record
  begin
    with firsts as (
      select distinct on (d.job_id) d.*, clock_timestamp() as now
      from docket.deliveries d
      where d.delivery_id = any (p_deliveries)
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
        select json_build_object(
          'delivery', f.delivery_id, 'source', f.source_id, 'sha256', encode(f.sha256, 'hex')
        )::text as detail
      ) as detail
    ),
    made as (
      insert into docket.jobs
        (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
      select job_id, sha256, delivery_id, source_id, document_kind, 'accepted', 1, hash, now, now
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

  -- enqueue
  if cardinality(v_made) < cardinality(p_deliveries) then
    insert into docket.arrivals (delivery_id, job_id)
    select d.delivery_id, d.job_id
    from docket.deliveries d
    where d.delivery_id = any (p_deliveries) and d.delivery_id <> all (v_made)
    on conflict (delivery_id) do nothing;
  end if;

  -- check
  if exists (
    select
    from docket.arrivals a
    join docket.deliveries d on d.delivery_id = a.delivery_id
    join docket.jobs j on j.job_id = a.job_id
    where a.delivery_id = any (p_deliveries) and j.sha256 <> d.sha256
  ) then
    raise exception 'sha256: another hash already has the job id of a delivered one'
      using errcode = 'ZD016', hint = 'Report it: the hashes were made to collide.';
  end if;
end;
$$;
comment on function docket.accept_deliveries(bigint[]) is
  'Makes the jobs of new hashes among the deliveries; the rest become arrivals. Raises ZD016.';
