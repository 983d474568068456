-- Hands out what senders are to be told, each for half a minute, as the claims of a receipt that lacks its issuer and its
-- signature. A worker that dies leaves it to be handed out again after that. Of a document under way with one worker nothing is
-- handed out to another, so that its receipts are issued in the order of its events. That the hash was claimed is told only
-- if nothing better is known a second after the delivery. Orders of which there is nothing to tell go.
-- Called by: every worker process that has a key for receipts; one at a time. Effects: receipt_orders.
create or replace function docket.claim_receipts(p_limit integer)
returns table (delivery_id bigint, claims json)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_due bigint[];
begin
  -- check
  if not exists (select from docket.receipt_orders o where o.due_at <= v_now) then
    return;
  end if;

  -- lock
  perform from docket.duties d where d.duty = 'receipts' for update skip locked;
  if not found then
    return;
  end if;
  with due as materialized (
    select o.delivery_id
    from docket.receipt_orders o
    where o.due_at <= v_now
      and not exists (
        select from docket.receipt_orders u where u.job_id = o.job_id and u.tries > 0 and u.due_at > v_now
      )
    order by o.due_at, o.delivery_id
    limit p_limit
    for update of o skip locked
  )
  select array_agg(d.delivery_id) into v_due from due d;
  if v_due is null then
    return;
  end if;

  -- record
  return query
  with facts as materialized (
    select f.*, d.received_at, d.sha256, d.size_bytes, d.captured_at,
      case when f.outcome = 'PEND' and f.code is null then d.received_at + interval '1 second' else v_now end as tell_at
    from docket.receipt_facts(v_due) f
    cross join lateral (select * from docket.deliveries d where d.delivery_id = f.delivery_id limit 1) as d
    where f.is_news
  ),
  dropped as (
    delete from docket.receipt_orders o
    where o.delivery_id = any (v_due) and o.delivery_id not in (select f.delivery_id from facts f)
  ),
  claimed as (
    update docket.receipt_orders o
    set due_at = case when f.tell_at > v_now then f.tell_at else v_now + interval '30 seconds' end,
      tries = case when f.tell_at > v_now then 0 else o.tries + 1 end
    from facts f
    where o.delivery_id = f.delivery_id
  )
  select f.delivery_id,
    json_strip_nulls(
      json_build_object(
        'jti', gen_random_uuid(),
        'iat', floor(extract(epoch from v_now))::bigint,
        'sub', f.source_id,
        'outcome', f.outcome,
        'delivery', json_build_object(
          'id', f.delivery_id::text, 'received_at', docket.iso_time(f.received_at), 'sha256', encode(f.sha256, 'hex'),
          'size_bytes', f.size_bytes, 'captured_at_as_stated', docket.iso_time(f.captured_at)
        ),
        'document', case when f.brought_by is not null then f.job_id end,
        'earlier', (
          select json_build_object('id', b.delivery_id::text, 'received_at', docket.iso_time(b.received_at))
          from docket.deliveries b
          where b.delivery_id = f.brought_by and f.outcome = 'DUPE'
        ),
        'event', (
          select json_build_object('seq', e.seq, 'name', e.event, 'at', docket.iso_time(e.at), 'hash', encode(e.hash, 'hex'))
          from docket_audit.events e
          where e.job_id = f.job_id and e.seq = f.seq and f.is_told
        ),
        'code', f.code, 'meaning', c.meaning, 'remedy', c.remedy,
        'statement', docket.statement_to(f.job_id, f.source_id)
      )
    )
  from facts f
  left join docket.failure_codes c on c.code = f.code
  where f.tell_at <= v_now
  order by f.job_id, f.seq, f.delivery_id;
end;
$$;
comment on function docket.claim_receipts(integer) is 'Hands out what senders are to be told: claims of receipts, to be signed.';
