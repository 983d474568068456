-- How often each step of the state machine was recorded: as was counted when events were sealed, and what was recorded since, 100,000
-- events at most. Where more are still to be counted, as while no worker runs, it is as of further back.
-- Called by: document_counts and delivery_count. Not granted to anyone.
create or replace function docket.recorded_steps()
returns table (from_state text, event text, to_state text, events bigint, deliveries bigint)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  return query
  select t.from_state, t.event, t.to_state, t.events, t.deliveries from docket.event_totals t
  union all
  select e.from_state, e.event, e.to_state, 1::bigint, docket.deliveries_of_event(e.event, e.detail)::bigint
  from (
    select e.from_state, e.event, e.to_state, e.detail
    from docket.age_progress a
    cross join docket_audit.epochs p
    left join docket_audit.epochs n on n.epoch = p.epoch + 1
    cross join lateral (
      select e.from_state, e.event, e.to_state, e.detail
      from docket_audit.events e
      where e.event_id >= p.first_event_id and e.event_id < coalesce(n.first_event_id, 9223372036854775807)
        and (e.xid, e.event_id) > (
          case when p.epoch = a.epoch then a.xid else '0' end, case when p.epoch = a.epoch then a.event_id else -1 end
        )
      order by e.xid, e.event_id
      limit 100000
    ) as e
    where p.epoch >= a.epoch
    order by p.epoch
    limit 100000
  ) as e;
end;
$$;
comment on function docket.recorded_steps() is 'How often each step of the state machine was recorded.';
