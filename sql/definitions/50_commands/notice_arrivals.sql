-- Deals with deliveries that made no job themselves: further deliveries of a known hash, and those whose job another
-- transaction was making at the time.
-- Called by: admit. Not granted to anyone. Effects: jobs; events delivered_again and redelivered; deliveries of verified
-- documents by sources that do not see them yet become due to be checked, and envelopes of those that do; arrivals that were
-- dealt with go; receipts. An envelope brings back a document that was refused for its signatures. What is delivered of
-- a document that was disposed of is recorded, and erased like the rest of it; but a scan whose bytes nobody had seen is brought
-- back: the disposal was one of what had been delivered until then, and removals of what is delivered now are not ordered any more.
create or replace function docket.notice_arrivals(p_limit integer)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_enough timestamptz := clock_timestamp() + interval '60 milliseconds';
  v_delivery bigint;
  v_seen bigint[];
  v_noticed record;
begin
  -- check: jobs that are still missing are made at once; where any of them would wait for another transaction, one by one,
  -- in any order and not for long, so that a forgotten transaction holds up neither admission nor the others
  v_seen := array(
    select min(a.delivery_id)
    from docket.arrivals a
    where not exists (select from docket.jobs j where j.job_id = a.job_id)
    group by a.job_id
    limit p_limit
  );
  if v_seen <> '{}' then
    perform docket.accept_deliveries(v_seen);
  end if;
  for v_delivery in
    select min(a.delivery_id)
    from docket.arrivals a
    where not exists (select from docket.jobs j where j.job_id = a.job_id)
    group by a.job_id
    order by random()
    limit p_limit
  loop
    exit when clock_timestamp() > v_enough;
    perform docket.accept_deliveries(array[v_delivery]);
  end loop;

  -- lock: but not while the bytes are being looked for, because if that fails the new delivery is what was missing
  select array_agg(a.delivery_id)
  into v_seen
  from (
    select a.delivery_id
    from docket.arrivals a
    join docket.jobs j on j.job_id = a.job_id
    where (j.token is not null and j.next_task = 'hash') is not true
    order by a.delivery_id
    limit p_limit
  ) as a;
  -- … nor jobs that somebody's open transaction holds: their arrivals wait, and hold up no others
  with held as materialized (
    select j.job_id
    from docket.jobs j
    where j.job_id in (select a.job_id from docket.arrivals a where a.delivery_id = any (v_seen))
    order by j.job_id
    for no key update skip locked
  )
  select array_agg(a.delivery_id)
  into v_seen
  from docket.arrivals a
  where a.delivery_id = any (v_seen) and a.job_id in (select h.job_id from held h);
  if v_seen is null then
    return;
  end if;

  -- record
  with dealt as (
    delete from docket.arrivals a
    using docket.jobs j
    where a.delivery_id = any (v_seen) and j.job_id = a.job_id
      and (j.token is not null and j.next_task = 'hash') is not true
    returning a.job_id, a.delivery_id, a.delivery_id = j.delivery_id as is_first,
      docket.is_disposed(a.job_id) and exists (select from docket.evidence e where e.job_id = j.job_id) as is_disposed,
      j.state = 'quarantined' and (
        not exists (select from docket.evidence e where e.job_id = j.job_id)
        or not docket.is_disposed(a.job_id) and (
          j.first_code in ('OBJECT_NOT_FOUND', 'SIZE_MISMATCH', 'HASH_MISMATCH', 'STORE_DENIED', 'LOCATOR_INVALID')
          or docket.is_signature_refusal(j.last_code) and exists (
            select
            from docket.deliveries d
            join docket.document_sources s on s.job_id = d.job_id and s.source_id = d.source_id
            where d.delivery_id = a.delivery_id and d.envelope is not null
          )
        )
      ) as is_redelivery
  ),
  to_check as (
    insert into docket.delivery_checks (delivery_id, job_id, source_id)
    select d.delivery_id, d.job_id, s.source_id
    from dealt d
    cross join lateral (select * from docket.deliveries s where s.delivery_id = d.delivery_id limit 1) as s
    where not d.is_disposed
      and exists (select from docket.evidence e where e.job_id = d.job_id)
      and not exists (select from docket.document_sources o where o.job_id = d.job_id and o.source_id = s.source_id)
  ),
  -- what is redelivered is looked at by the hash task
  envelopes as (
    insert into docket.envelope_checks (delivery_id, job_id)
    select d.delivery_id, d.job_id
    from dealt d
    cross join lateral (select * from docket.deliveries s where s.delivery_id = d.delivery_id limit 1) as s
    where not d.is_disposed and s.envelope is not null
      and exists (select from docket.document_sources o where o.job_id = d.job_id and o.source_id = s.source_id)
      and not exists (select from dealt r where r.job_id = d.job_id and r.is_redelivery)
    on conflict (delivery_id) do nothing
  ),
  grouped as (
    select d.job_id, bool_or(d.is_redelivery) as is_redelivery, bool_or(d.is_disposed) as is_disposed,
      json_build_object('deliveries', json_agg(d.delivery_id order by d.delivery_id))::text as detail
    from dealt d
    where not d.is_first
    group by d.job_id
  )
  select array_agg(g.job_id) as jobs,
    array_agg(case when g.is_redelivery then 'redelivered' else 'delivered_again' end) as events,
    array_agg(g.detail) as details,
    array_agg(g.job_id) filter (where g.is_redelivery) as redelivered,
    (
      select array_agg(d.delivery_id)
      from dealt d
      where d.job_id in (select r.job_id from grouped r where r.is_redelivery)
    ) as found,
    array_agg(g.job_id) filter (where g.is_disposed) as disposed
  into v_noticed
  from grouped g;

  if v_noticed.jobs is not null then
    update docket.jobs j set first_code = null, last_code = null where j.job_id = any (v_noticed.redelivered);
    perform docket.record_events(
      v_noticed.jobs, v_noticed.events, docket.actor(), null, null, null, v_noticed.details
    );
  end if;
  if v_noticed.redelivered is not null then
    update docket.disposals d
    set outlived_at = clock_timestamp()
    where d.job_id = any (v_noticed.redelivered) and d.decision = 'approved' and d.outlived_at is null;
    -- of whatever document nobody has seen: an order bears the name of one of them
    delete from docket.object_orders o
    using unnest(v_noticed.found) as n (delivery_id)
    cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
    where o.act = 'remove' and o.locator = d.locator and coalesce(o.version = d.version, true)
      and not exists (select from docket.evidence e where e.job_id = o.job_id)
      and not exists (select from docket.evidence e where e.job_id = d.job_id);
  end if;
  if v_noticed.disposed is not null then
    perform docket.erase_documents(v_noticed.disposed);
  end if;

  -- enqueue
  perform docket.order_receipts(v_seen);
  if v_noticed.redelivered is not null then
    perform docket.order_receipts_of(v_noticed.redelivered);
  end if;
end;
$$;
comment on function docket.notice_arrivals(integer) is
  'Records further deliveries of known hashes and makes jobs that intake could not make.';
