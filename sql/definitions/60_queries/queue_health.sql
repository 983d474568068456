-- What has to be done and is not done yet, and since when the oldest of it is: the first look when something is slow. A row for each
-- measure and group of which there is something; a quiet system answers none. Described in docs/ages.md.
--   waiting      accepted, not admitted; since it was accepted
--   undeferred   the same without what closed admission or a limit deliberately holds; at the earliest since its limit had room
--   admitted     a task is due, or waits for its retry, and nobody is at it; since it became due
--   running      somebody is at it; since the attempt began
--   unpublished  validated; since then
--   unsealed     events that are no leaves of the log yet; since the oldest was recorded. By all only.
--   untold       deliveries of which their sender is still to be told something; since it was due. By all and by source.
-- By pool: admitted and running only; a paper of a reserved lane counts where slots are reserved for it. `documents` is null where it
-- would take long to count. It is asked every few seconds: nothing here reads more than the groups of what waits, what was admitted,
-- which a window bounds, and 10,000 rows of an index for each count.
-- Called by: operators, auditors, evidence owners, workers, the gateway. Effects: none. Errors: ZD073.
create or replace function docket.queue_health(p_by text default 'all')
returns table (
  measure text,
  group_name text,
  documents bigint,
  oldest_at timestamptz,
  oldest_seconds double precision,
  job_id uuid
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_most constant integer := 10000;
  v_head record;
begin
  p_by := coalesce(p_by, 'all');
  perform docket.require_grouping(p_by, '{all,lane,source,kind,pool}');

  if p_by <> 'pool' then
    return query
    select w.measure, n.group_name, case when bool_or(w.documents is null) then null else sum(w.documents)::bigint end,
      min(w.since), greatest(extract(epoch from v_now - min(w.since)), 0)::double precision,
      (array_agg(w.job_id order by w.since, w.job_id))[1]
    from (
      select m.measure, g.source_id, g.document_kind, g.lane, g.job_id,
        case m.measure when 'waiting' then g.documents else least(g.documents, g.room) end as documents,
        case m.measure when 'waiting' then g.accepted_at else greatest(g.accepted_at, g.free_at) end as since
      from docket.waiting_groups() g
      cross join (values ('waiting'), ('undeferred')) as m (measure)
      where m.measure = 'waiting' or not g.is_held
    ) as w
    cross join lateral (
      select case p_by when 'lane' then w.lane when 'source' then w.source_id when 'kind' then w.document_kind else '' end as group_name
    ) as n
    group by w.measure, n.group_name
    order by w.measure desc, n.group_name;
  end if;

  return query
  with under_way as materialized (
    select j.job_id, j.source_id, j.document_kind, coalesce(j.lane, 'standard') as lane, j.state, j.state_at, j.next_task, j.token,
      j.attempt
    from docket.jobs j
    where j.next_task is not null
  )
  select w.measure, n.group_name, count(*), min(w.since), greatest(extract(epoch from v_now - min(w.since)), 0)::double precision,
    (array_agg(w.job_id order by w.since, w.job_id))[1]
  from (
    select case when u.token is null then 'admitted' else 'running' end as measure, u.job_id, u.source_id, u.document_kind, u.lane,
      u.next_task,
      case
        when u.token is null then u.state_at
        else coalesce((select a.started_at from docket.attempts a where a.job_id = u.job_id and a.attempt = u.attempt), u.state_at)
      end as since
    from under_way u
    union all
    select 'unpublished', u.job_id, u.source_id, u.document_kind, u.lane, null, u.state_at
    from under_way u
    where u.state = 'validated' and p_by <> 'pool'
  ) as w
  cross join lateral (
    select case p_by
      when 'lane' then w.lane
      when 'source' then w.source_id
      when 'kind' then w.document_kind
      when 'pool' then (
        select case when t.pool = 'ocr' and l.is_reserved then 'ocr_reserved' else t.pool end
        from docket.tasks t
        cross join docket.lanes l
        where t.task = w.next_task and l.lane = w.lane
      )
      else ''
    end as group_name
  ) as n
  group by w.measure, n.group_name
  order by w.measure, n.group_name;

  if p_by = 'all' then
    select * into strict v_head from docket.log_head();
    return query
    select 'unsealed', '', case when c.events <= v_most then c.events end, e.at,
      greatest(extract(epoch from v_now - e.at), 0)::double precision,
      (select j.job_id from docket.jobs j where j.job_id = e.job_id)
    from (
      select e.at, e.job_id
      from docket_audit.events e
      where e.xid >= v_head.xid_to and e.event_id >= v_head.first_event_id
      order by e.xid, e.event_id
      limit 1
    ) as e
    cross join lateral (
      select count(*) as events
      from (
        select from docket_audit.events e where e.xid >= v_head.xid_to and e.event_id >= v_head.first_event_id limit v_most + 1
      ) as o
    ) as c;
  end if;

  if p_by = 'all' then
    return query
    select 'untold', '', case when c.orders <= v_most then c.orders end, o.due_at,
      greatest(extract(epoch from v_now - o.due_at), 0)::double precision, o.job_id
    from (select r.due_at, r.job_id from docket.receipt_orders r where r.due_at <= v_now order by r.due_at, r.delivery_id limit 1) as o
    cross join lateral (
      select count(*) as orders
      from (select from docket.receipt_orders r where r.due_at <= v_now limit v_most + 1) as u
    ) as c;
  elsif p_by = 'source' then
    -- of the oldest 500, each looked up by key: whoever is behind so far has them
    return query
    select 'untold', u.source_id, case when u.all_orders <= 500 then u.orders end, u.due_at,
      greatest(extract(epoch from v_now - u.due_at), 0)::double precision, u.job_id
    from (
      select d.source_id, count(*) as orders, min(o.due_at) as due_at, (array_agg(o.job_id order by o.due_at, o.delivery_id))[1] as job_id,
        (sum(count(*)) over ())::bigint as all_orders
      from (
        select r.due_at, r.delivery_id, r.job_id
        from docket.receipt_orders r
        where r.due_at <= v_now
        order by r.due_at, r.delivery_id
        limit 501
      ) as o
      cross join lateral (select d.source_id from docket.deliveries d where d.delivery_id = o.delivery_id limit 1) as d
      group by d.source_id
    ) as u
    order by u.source_id;
  end if;
end;
$$;
comment on function docket.queue_health(text) is
  'What has to be done and is not done yet, and since when, by all, lane, source, kind or pool. Raises ZD073.';
