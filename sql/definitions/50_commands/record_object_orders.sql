-- Records how orders ended: without a code and a time it is done; with a time the store refuses to remove the object until
-- then (infinity where it does not say); with a code it failed. Nothing is given up: what was refused is due again when the
-- refusal ends, what failed after a while, at last once an hour, or once a day where only a person can mend it.
-- Called by: the worker, for what it claimed.
-- Effects: object_orders; of objects of disposed documents events object_removed, and object_kept once for each date.
-- Outcome of each: removed, kept, protected, retry, again (it was ordered anew meanwhile) or stale.
-- Errors: ZD022 a code is not known.
create or replace function docket.record_object_orders(
  p_orders bigint[],
  p_codes text[],
  p_kept_until timestamptz[]
)
returns table (object_order_id bigint, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_ended record;
begin
  -- check
  perform docket.require_failure_codes(array_remove(p_codes, null));

  -- lock
  perform from docket.jobs j
  where j.job_id in (select o.job_id from docket.object_orders o where o.object_order_id = any (p_orders))
  order by j.job_id
  for no key update;

  -- record
  with brought as materialized (
    select o.*, n.code, f.meaning, mendable.by_itself as is_retryable,
      -- what only a person can mend is as good as a refusal without an end
      case
        when o.act = 'remove' then coalesce(n.kept_until, case when not mendable.by_itself then timestamptz 'infinity' end)
      end as refused_until
    from unnest(p_orders, p_codes, p_kept_until) as n (object_order_id, code, kept_until)
    join docket.object_orders o on o.object_order_id = n.object_order_id
    left join docket.failure_codes f on f.code = n.code
    -- whoever may read an object may still not be let remove it
    cross join lateral (select coalesce(f.is_retryable and f.code <> 'STORE_DENIED', true) as by_itself) as mendable
    for update of o
  ),
  decided as materialized (
    select b.*,
      case
        when b.tries = 0 then 'again'
        when b.refused_until is not null then 'kept'
        when b.code is not null then 'retry'
        when b.act = 'remove' then 'removed'
        else 'protected'
      end as outcome
    from brought b
  ),
  postponed as (
    update docket.object_orders o
    set last_code = d.code,
      retain_until = coalesce(greatest(o.retain_until, d.refused_until), o.retain_until),
      tries = case when d.code = 'WORKER_STOPPING' then greatest(o.tries - 1, 0) else o.tries end,
      due_at = case
        when d.outcome = 'again' or d.code = 'WORKER_STOPPING' then clock_timestamp()
        when d.refused_until < 'infinity' then greatest(d.refused_until, clock_timestamp()) + interval '1 minute' * (0.5 + random())
        when not d.is_retryable or d.outcome = 'kept' then clock_timestamp() + interval '1 day' * (0.8 + 0.4 * random())
        else clock_timestamp() + docket.back_off('2 s', '1 hour', o.tries - 1)
      end
    from decided d
    where d.outcome in ('again', 'kept', 'retry') and o.object_order_id = d.object_order_id
  ),
  done as (
    delete from docket.object_orders o
    using decided d
    where d.outcome in ('removed', 'protected') and o.object_order_id = d.object_order_id
  ),
  told as (
    select d.job_id, d.meaning, d.code, 'object_' || d.outcome as event,
      row_number() over (partition by d.job_id order by d.object_order_id) as turn,
      json_strip_nulls(
        json_build_object(
          'locator', d.locator, 'version', d.version,
          'until', case
            when d.refused_until < 'infinity' then to_char(d.refused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
          end
        )
      )::text as detail
    from decided d
    join docket.jobs j on j.job_id = d.job_id
    join docket.job_transitions t on t.from_state = j.state and t.event = 'object_' || d.outcome
    where d.outcome = 'removed'
      or d.outcome = 'kept' and (d.retain_until is null or d.refused_until > d.retain_until)
  )
  select
    (select array_agg(d.object_order_id) from decided d) as orders,
    (select array_agg(d.outcome) from decided d) as outcomes,
    array_agg(t.job_id) as jobs,
    array_agg(t.event) as events,
    array_agg(t.meaning) as reasons,
    array_agg(t.code) as codes,
    array_agg(t.detail) as details,
    array_agg(t.turn) as turns
  into v_ended
  from told t;

  -- one event of a job at a time
  for v_turn in 1 .. coalesce((select max(n.turn) from unnest(v_ended.turns) as n (turn)), 0) loop
    perform docket.record_events(
      array_agg(n.job_id), array_agg(n.event), docket.actor(), array_agg(n.reason), array_agg(n.code), null, array_agg(n.detail)
    )
    from unnest(v_ended.jobs, v_ended.events, v_ended.reasons, v_ended.codes, v_ended.details, v_ended.turns)
      as n (job_id, event, reason, code, detail, turn)
    where n.turn = v_turn;
  end loop;

  return query
  select n.object_order_id, coalesce(e.outcome, 'stale')
  from unnest(p_orders) as n (object_order_id)
  left join unnest(v_ended.orders, v_ended.outcomes) as e (object_order_id, outcome) on e.object_order_id = n.object_order_id;
end;
$$;
comment on function docket.record_object_orders(bigint[], text[], timestamptz[]) is
  'Records how orders to the object store ended: done, refused until a time, or failed. Raises ZD022.';
