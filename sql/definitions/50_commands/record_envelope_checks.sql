-- Records how checks of signatures ended: without a code what was found, as record_signatures reads it; with one the check is
-- tried again as docket.failure_codes says, or given up; for an outage none is given up. A check after the fact refuses and releases nothing.
-- Called by: the worker, for what it claimed. Effects: envelope_checks, signatures, events envelope_checked.
-- Outcome of each: checked, retry, given_up, again (it was ordered anew meanwhile) or stale.
-- Errors: ZD022 a code is not known.
create or replace function docket.record_envelope_checks(
  p_deliveries bigint[],
  p_codes text[],
  p_signatures json[]
)
returns table (delivery_id bigint, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_ended record;
  v_given_up record;
begin
  -- check
  perform docket.require_failure_codes(array_remove(p_codes, null));

  -- lock
  perform from docket.jobs j
  where j.job_id in (select k.job_id from docket.envelope_checks k where k.delivery_id = any (p_deliveries))
  order by j.job_id
  for no key update;

  -- record
  with brought as materialized (
    select k.*, n.code, n.signatures
    from unnest(p_deliveries, p_codes, p_signatures) as n (delivery_id, code, signatures)
    join docket.envelope_checks k on k.delivery_id = n.delivery_id
    for update of k
  ),
  decided as materialized (
    select b.*, f.meaning, f.base_delay, f.longest_delay, f.max_tries,
      case
        when b.tries = 0 then 'again'
        when b.code is null then 'checked'
        when f.is_retryable and (b.tries < f.max_tries or f.outage_documents = 1) then 'retry'
        else 'given_up'
      end as outcome
    from brought b
    left join docket.failure_codes f on f.code = b.code
  ),
  postponed as (
    update docket.envelope_checks k
    set tries = case when d.code = 'WORKER_STOPPING' then k.tries - 1 else least(k.tries, d.max_tries) end,
      due_at = clock_timestamp() + docket.back_off(d.base_delay, d.longest_delay, k.tries - 1)
    from decided d
    where d.outcome = 'retry' and k.delivery_id = d.delivery_id
  ),
  ended as (
    delete from docket.envelope_checks k
    using decided d
    where d.outcome in ('checked', 'given_up') and k.delivery_id = d.delivery_id
  )
  select array_agg(d.delivery_id) as deliveries, array_agg(d.outcome) as outcomes,
    array_agg(d.job_id) filter (where d.outcome = 'checked') as checked,
    array_agg(d.signatures) filter (where d.outcome = 'checked') as signatures,
    array_agg(d.ordered_by) filter (where d.outcome = 'checked') as ordered_by,
    array_agg(d.delivery_id) filter (where d.outcome = 'given_up') as given_up
  into v_ended
  from decided d;
  if v_ended.checked is not null then
    perform docket.record_signatures(v_ended.checked, v_ended.signatures, v_ended.ordered_by);
  end if;

  for v_given_up in
    select d.job_id, f.code, f.meaning, json_build_object('delivery', d.delivery_id, 'source', d.source_id)::text as detail
    from unnest(p_deliveries, p_codes) as n (delivery_id, code)
    join docket.failure_codes f on f.code = n.code
    cross join lateral (select * from docket.deliveries d where d.delivery_id = n.delivery_id limit 1) as d
    where n.delivery_id = any (v_ended.given_up)
  loop
    perform docket.record_events(
      array[v_given_up.job_id], array['envelope_checked'], docket.actor(), array[v_given_up.meaning], array[v_given_up.code],
      null, array[v_given_up.detail]
    );
  end loop;

  return query
  select n.delivery_id, coalesce(e.outcome, 'stale')
  from unnest(p_deliveries) as n (delivery_id)
  left join unnest(v_ended.deliveries, v_ended.outcomes) as e (delivery_id, outcome) on e.delivery_id = n.delivery_id;
end;
$$;
comment on function docket.record_envelope_checks(bigint[], text[], json[]) is
  'Records how checks of signatures ended: found, tried again, or given up. Raises ZD022.';
