-- Records how checks of further sources' deliveries ended: without a code the bytes matched, and the source sees the document
-- from now on; with one the check is tried again as docket.failure_codes says, or the delivery is refused for good. What says nothing of
-- the delivery, as an outage, refuses none: that check is tried again until it passes.
-- Called by: the worker, for what it claimed. Whatever it brings, a place that another source named first shows nothing.
-- Effects: document_sources, delivery_checks, events delivery_verified and delivery_refused; search learns of the source,
-- and its envelopes are looked at.
-- Outcome of each: verified, retry, refused, seen (the source saw the document already) or stale.
-- Errors: ZD022 a code is not known.
create or replace function docket.record_delivery_checks(
  p_deliveries bigint[],
  p_codes text[]
)
returns table (delivery_id bigint, outcome text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_taken bigint[];
  v_ended record;
begin
  -- check
  perform docket.require_failure_codes(array_remove(p_codes, null));

  -- lock
  perform from docket.jobs j
  where j.job_id in (select k.job_id from docket.delivery_checks k where k.delivery_id = any (p_deliveries))
  order by j.job_id
  for no key update;

  -- record
  v_taken := array(select docket.taken_places(p_deliveries));
  with brought as materialized (
    select k.*, case when n.code is null and n.delivery_id = any (v_taken) then 'LOCATOR_TAKEN' else n.code end as code
    from unnest(p_deliveries, p_codes) as n (delivery_id, code)
    join docket.delivery_checks k on k.delivery_id = n.delivery_id
    for update of k
  ),
  decided as materialized (
    select b.*, f.meaning, f.base_delay, f.longest_delay, f.max_tries,
      case
        when s.job_id is not null then 'seen'
        when b.code is null and b.delivery_id = min(b.delivery_id) filter (where b.code is null) over same then 'verified'
        when bool_or(b.code is null) over same then 'seen'
        when f.is_retryable and (b.tries < f.max_tries or f.outage_documents = 1) then 'retry'
        else 'refused'
      end as outcome
    from brought b
    left join docket.failure_codes f on f.code = b.code
    left join docket.document_sources s on s.job_id = b.job_id and s.source_id = b.source_id
    window same as (partition by b.job_id, b.source_id)
  ),
  postponed as (
    update docket.delivery_checks k
    set tries = case when d.code = 'WORKER_STOPPING' then k.tries - 1 else least(k.tries, d.max_tries) end,
      due_at = clock_timestamp() + docket.back_off(d.base_delay, d.longest_delay, k.tries - 1)
    from decided d
    where d.outcome = 'retry' and k.delivery_id = d.delivery_id
  ),
  ended as (
    delete from docket.delivery_checks k
    using decided d
    where d.outcome <> 'retry'
      and (
        k.delivery_id = d.delivery_id
        or d.outcome = 'verified' and k.job_id = d.job_id and k.source_id = d.source_id
      )
  ),
  seen as (
    insert into docket.document_sources
      (job_id, source_id, ordinal, delivery_id, document_kind, document_date, captured_at, received_at, verified_at,
       retain_until)
    select d.job_id, d.source_id,
      (select max(s.ordinal) from docket.document_sources s where s.job_id = d.job_id)
        + row_number() over (partition by d.job_id order by d.delivery_id),
      d.delivery_id, s.document_kind, s.document_date, s.captured_at, s.received_at, clock_timestamp(),
      greatest(docket.kept_until(s.document_kind, s.received_at), docket.kept_until_as_amended(d.job_id, s.received_at))
    from decided d
    join docket.deliveries s on s.delivery_id = d.delivery_id
    where d.outcome = 'verified'
  ),
  told as (
    select d.*, row_number() over (partition by d.job_id order by d.delivery_id) as turn,
      json_build_object(
        'delivery', d.delivery_id, 'source', d.source_id, 'tries', d.tries,
        'salted_packet_sha256', encode(
          docket.salted_packet_hash(
            (select t.salt from docket.job_salts t where t.job_id = d.job_id),
            docket.packet_bytes(
              s.sha256, s.size_bytes, s.media_type, s.locator, s.version, s.source_id, s.document_kind, s.captured_at,
              s.received_at, s.document_date, s.signer, s.envelope, s.scan_number
            )
          ),
          'hex'
        )
      )::text as detail
    from decided d
    join docket.deliveries s on s.delivery_id = d.delivery_id
    where d.outcome in ('verified', 'refused')
  )
  select
    (select array_agg(d.delivery_id) from decided d) as deliveries,
    (select array_agg(d.outcome) from decided d) as outcomes,
    array_agg(t.job_id) as jobs,
    array_agg('delivery_' || t.outcome) as events,
    array_agg(t.meaning) as reasons,
    array_agg(t.code) as codes,
    array_agg(t.detail) as details,
    array_agg(t.turn) as turns,
    array_agg(distinct t.job_id) filter (where t.outcome = 'verified') as newly_seen
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

  -- enqueue
  if v_ended.jobs is not null then
    perform docket.order_receipts_of(array(select distinct n.job_id from unnest(v_ended.jobs) as n (job_id)));
  end if;
  if v_ended.newly_seen is not null then
    perform docket.welcome_envelopes(v_ended.newly_seen);
    perform docket.note_for_search(v_ended.newly_seen);
    if docket.store_locks_objects() then
      perform docket.order_protection(v_ended.newly_seen);
    end if;
  end if;

  return query
  select n.delivery_id, coalesce(e.outcome, 'stale')
  from unnest(p_deliveries) as n (delivery_id)
  left join unnest(v_ended.deliveries, v_ended.outcomes) as e (delivery_id, outcome) on e.delivery_id = n.delivery_id;
end;
$$;
comment on function docket.record_delivery_checks(bigint[], text[]) is
  'Records how checks of deliveries of further sources ended. Raises ZD022.';
